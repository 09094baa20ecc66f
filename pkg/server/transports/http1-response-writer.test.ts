import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Http1ResponseWriter } from './http1-response-writer.ts';

describe('the body of an HTTP/1.1 answer', () => {
  it('keeps references to what is written, unless the connection encrypts it', () => {
    const plain = new Socket();
    const writerTo = (socket: Socket) => new Http1ResponseWriter(new ServerResponse(new IncomingMessage(socket)), socket, undefined);
    expect(writerTo(plain).isZeroCopy).toBe(true);
    const encrypted = new TLSSocket(new Socket());
    expect(writerTo(encrypted).isZeroCopy).toBe(false);
    plain.destroy();
    encrypted.destroy();
  });
});
