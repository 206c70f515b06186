import * as yup from 'yup';
import { INCLUDED_DATASETS } from '../../base/system/included-datasets.js';
import { configFile, dataset, DEMO_DATASET } from './schemas.js';
import type { Option } from './server-options.js';

export const CONFIG_OPTION: Option = {
  name: 'config',
  flag: 'config',
  env: 'UNDERSTUDY_CONFIG',
  value: 'FILE',
  help: 'Configuration file, or none (default: understudy.config.* in this folder or above, up to the nearest package.json)',
  schema: configFile,
};

/** The dataset, and how it is loaded. */
export const DATASET_OPTIONS: readonly Option[] = [
  {
    name: 'dataset',
    flag: 'dataset',
    env: 'UNDERSTUDY_DATASET',
    value: 'FILE',
    help: `Dataset to load into an empty store: a file, or ${INCLUDED_DATASETS.join(', ')} (default: demo)`,
    schema: dataset,
    default: DEMO_DATASET,
    isPath: true,
  },
  {
    name: 'watch',
    flag: 'watch',
    env: 'UNDERSTUDY_WATCH',
    help: 'Reload the dataset when its file or its images change',
    schema: yup.boolean(),
    default: false,
    sets: true,
  },
  {
    name: 'create',
    flag: 'no-create',
    env: 'UNDERSTUDY_CREATE',
    help: 'Reject references to venues, organizers or terms that do not exist, instead of creating them',
    schema: yup.boolean(),
    default: true,
    sets: false,
  },
];
