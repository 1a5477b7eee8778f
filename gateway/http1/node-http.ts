import process from 'node:process';

/**
 * The module node:http. An `import` of it reads all that it exports, and with that loads Node's own undici, which the
 * gateway does not use: 30 ms of every start.
 */
export const http = process.getBuiltinModule('node:http');
