import { createLog } from '../../../gateway/observe/log.ts';

/** A log that goes nowhere. */
export const silentLog = createLog({ level: 'silent', sink: { write() {} } }).log;
