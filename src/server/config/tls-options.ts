import * as yup from 'yup';
import { textSchema } from './schemas.js';
import type { Option } from './server-options.js';

/** The options of HTTPS. */
export const TLS_OPTIONS: readonly Option[] = [
  {
    name: 'tls',
    flag: 'tls',
    env: 'UNDERSTUDY_TLS',
    help: "Serve HTTPS, with a self-signed certificate for localhost, --host, --url and --allowed-host, which is kept in the user's cache directory",
    schema: yup.boolean(),
    default: false,
    sets: true,
  },
  {
    name: 'tlsCert',
    flag: 'tls-cert',
    env: 'UNDERSTUDY_TLS_CERT',
    value: 'FILE',
    help: 'Serve HTTPS with this certificate (PEM, with intermediate certificates); requires --tls-key',
    schema: textSchema().min(1),
    isPath: true,
  },
  {
    name: 'tlsKey',
    flag: 'tls-key',
    env: 'UNDERSTUDY_TLS_KEY',
    value: 'FILE',
    help: 'Private key of --tls-cert (PEM, not encrypted)',
    schema: textSchema().min(1),
    isPath: true,
  },
];
