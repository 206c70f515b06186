import { bsonOf, headerOf, type RoundTripper } from './wire.js';

/**
 * Additional settings for the storage of the engine (WiredTiger, which reads `WIREDTIGER_CONFIG`), measured with 0.1.1:
 * - Files of the journal are small. Each time it is opened, the storage reads the last one and a new one to their ends, a dozen times in
 *   all, although they are almost empty: at 8 MB that is a sixth of the time. A larger transaction has a separate file.
 * - As many sessions as commands will ever run at once, several times over, instead of 33,000 to prepare.
 * - Files of collections that nobody uses are closed. Files of dropped collections stayed open for ten minutes, and when the process may
 *   open no more files, the engine aborts. A site alone has fewer files than stay open here.
 */
export const STORAGE = [
  'log=(file_max=512KB)',
  'session_max=2000',
  'file_manager=(close_idle_time=15,close_scan_interval=5,close_handle_minimum=250)',
].join();

/** @throws if the engine rejects the setting */
const set = async (engine: RoundTripper, name: string, value: string): Promise<void> => {
  const command = bsonOf({ setParameter: 1, [name]: value, $db: 'admin' });
  const { response } = await engine.roundTrip(Buffer.concat([headerOf(command.length), command]));
  if (response.includes('\x02errmsg\0')) throw new Error(`the engine does not support the setting ${name}`);
};

/**
 * Makes the engine choose query plans by trial, as released servers do, and limits its cache. By default (0.1.1), if no trial finishes in
 * time, as with a sort of thousands of documents, the engine estimates costs. That requires an execution engine that the build lacks, so the
 * query fails.
 * @param megabytes default: half of the memory of the machine
 */
export const configure = async (engine: RoundTripper, megabytes?: number): Promise<void> => {
  await set(engine, 'internalQueryPlanRanker', 'multiPlanning');
  if (megabytes !== undefined) await set(engine, 'wiredTigerEngineRuntimeConfig', `cache_size=${Math.ceil(megabytes)}M`);
};
