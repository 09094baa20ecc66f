/** Fetches JSON over HTTPS, within a deadline and a limit of size. Follows no redirects. */

export interface JsonRequest {
  readonly url: string;
  /** PEM. Absent: the CAs that Node knows. */
  readonly ca?: string | undefined;
  readonly timeoutMs: number;
}

const MAX_BYTES = 1024 * 1024;

/** Throws an Error that names the URL. Any code but 200 is an error. */
export async function fetchJson({ url, ca, timeoutMs }: JsonRequest): Promise<unknown> {
  const { get } = await import('node:https');
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => reject(new Error(`${url}: ${why}`, { cause }));
    const failWith = (error: Error) => fail(signal.aborted ? `no answer within ${timeoutMs} ms` : error.message, error);
    // A connection of its own: requests are rare, and a kept one would hold up the end of the process.
    const options = { agent: false, signal, headers: { Accept: 'application/json' }, ...(ca === undefined ? {} : { ca }) } as const;
    const request = get(url, options, (answer) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (piece: Buffer) => {
        bytes += piece.byteLength;
        if (bytes > MAX_BYTES) answer.destroy(new Error('the answer is too large'));
        else pieces.push(piece);
      });
      answer.on('error', failWith);
      answer.on('end', () => {
        if (answer.statusCode !== 200) {
          fail(`the answer has the code ${answer.statusCode ?? 0}`);
          return;
        }
        try {
          resolve(JSON.parse(Buffer.concat(pieces).toString('utf8')));
        } catch (error) {
          fail('the answer is not JSON', error);
        }
      });
    });
    request.on('error', failWith);
  });
}
