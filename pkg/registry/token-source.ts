/** Attempt tokens: 8 unpredictable bytes each, drawn by the page, because a draw of its own cost 8 µs of each write. */
const TOKEN_BYTES = 8;
const PAGE_BYTES = 4096;

export function createTokenSource(random: (size: number) => Buffer): () => string {
  let page: Buffer = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at >= page.byteLength) {
      page = random(PAGE_BYTES);
      at = 0;
    }
    at += TOKEN_BYTES;
    return page.toString('latin1', at - TOKEN_BYTES, at);
  };
}
