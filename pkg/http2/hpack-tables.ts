/** The constants of HPACK (RFC 7541): the static table and the Huffman code. */

export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** Appendix A, from index 1 on: names, some with a value. */
const STATIC_FIELDS =
  ':authority\n:method GET\n:method POST\n:path /\n:path /index.html\n:scheme http\n:scheme https\n:status 200\n:status 204\n' +
  ':status 206\n:status 304\n:status 400\n:status 404\n:status 500\naccept-charset\naccept-encoding gzip, deflate\n' +
  'accept-language\naccept-ranges\naccept\naccess-control-allow-origin\nage\nallow\nauthorization\ncache-control\n' +
  'content-disposition\ncontent-encoding\ncontent-language\ncontent-length\ncontent-location\ncontent-range\ncontent-type\n' +
  'cookie\ndate\netag\nexpect\nexpires\nfrom\nhost\nif-match\nif-modified-since\nif-none-match\nif-range\nif-unmodified-since\n' +
  'last-modified\nlink\nlocation\nmax-forwards\nproxy-authenticate\nproxy-authorization\nrange\nreferer\nrefresh\nretry-after\n' +
  'server\nset-cookie\nstrict-transport-security\ntransfer-encoding\nuser-agent\nvary\nvia\nwww-authenticate';

export const STATIC_TABLE: readonly HeaderField[] = STATIC_FIELDS.split('\n').map((line) => {
  const space = line.indexOf(' ');
  return space < 0 ? { name: line, value: '' } : { name: line.slice(0, space), value: line.slice(space + 1) };
});

/** Appendix B: code lengths of symbols 0 to 255 and EOS in base 36. The code is canonical: by length, then symbol. */
export const HUFFMAN_BITS =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f56565666577666567655677' +
  '777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqn' +
  'qrqqrrrrrsrrrrrqu';
