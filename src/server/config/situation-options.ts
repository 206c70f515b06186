import * as yup from 'yup';
import { scenarios, textSchema, webhookUrl } from './schemas.js';
import type { Option } from './server-options.js';

/** The options for faults and webhooks. */
export const SITUATION_OPTIONS: readonly Option[] = [
  {
    name: 'scenarios',
    flag: 'scenarios',
    env: 'UNDERSTUDY_SCENARIOS',
    value: 'FILE',
    isPath: true,
    help: 'JSON file with additional fault scenarios',
    schema: scenarios,
  },
  {
    name: 'scenario',
    flag: 'scenario',
    env: 'UNDERSTUDY_SCENARIO',
    value: 'NAME',
    help: 'Fault scenario to start with the server, such as flaky; repeatable',
    schema: yup.array().of(textSchema().matches(/^[\w-]{1,64}$/, 'invalid scenario ${value}. Use letters, digits, - and _')),
    separator: /[\s,]+/,
    default: [],
  },
  {
    name: 'webhooks',
    flag: 'webhook',
    env: 'UNDERSTUDY_WEBHOOKS',
    value: 'URL',
    help: 'URL to call when content changes; repeatable',
    schema: yup.array().of(webhookUrl),
    separator: /\s+/,
    default: [],
  },
  {
    name: 'webhookSecret',
    flag: 'webhook-secret',
    env: 'UNDERSTUDY_WEBHOOK_SECRET',
    value: 'TEXT',
    help: 'Key of the HMAC-SHA256 signature that webhooks send in X-Understudy-Signature',
    schema: textSchema().min(1),
  },
];
