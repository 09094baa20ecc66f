/**
 * Node's HTTP/1.1 without its client. An import of `node:http` reads every export of it, and one of them makes Node
 * load its client library (`fetch`, WebSocket): 20 to 40 ms of every start.
 */
export const nodeHttp = process.getBuiltinModule('node:http');
