/**
 * Node's HTTP/1.1 without its client. Importing `node:http` evaluates all its exports, one of which loads the client
 * library (`fetch`, WebSocket) and takes 20 to 40 ms at start.
 */
export const nodeHttp = process.getBuiltinModule('node:http');
