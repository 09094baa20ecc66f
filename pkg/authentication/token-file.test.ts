import { describe, expect, it } from '@jest/globals';
import { toBearerToken } from './bearer-token.ts';
import { parseTokenFile } from './token-file.ts';

const userOf = (text: string, token: string) => parseTokenFile(text, 'tokens.csv').get(toBearerToken(Buffer.from(token)).digest);

describe('Token file', () => {
  it('defines user, uid and groups of a token', () => {
    expect(userOf('t1,alice,u1,"dev,ops"\nt2,bob,,dev\n', 't1')).toEqual({ name: 'alice', uid: 'u1', groups: ['dev', 'ops'] });
    expect(userOf('t1,alice,u1,"dev,ops"\nt2,bob,,dev\n', 't2')).toEqual({ name: 'bob', groups: ['dev'] });
    expect(userOf('t1,alice,u1', 't1')).toEqual({ name: 'alice', uid: 'u1', groups: [] });
    expect(userOf('t1,alice,u1', 't2')).toBeUndefined();
  });

  it('stores no token in plain text', () => {
    const table = parseTokenFile('secret-token,alice,u1', 'tokens.csv');
    expect(JSON.stringify([...table])).not.toContain('secret-token');
  });

  it.each([
    ['t1,alice', 'tokens.csv is wrong in line 1: it must have at least 3 columns (token, user, uid), and has 2'],
    ['t1,alice,u1\n\nt2', 'in line 3: it must have at least 3 columns (token, user, uid), and has 1'],
    ['t1,alice,u1\nt2,bob,u2\nt1,carol,u3', 'in line 3: it has the same token as line 1'],
    [',alice,u1', 'in line 1: its token is empty'],
    ['"t 1",alice,u1', 'in line 1: its token contains white space'],
    ['t1,,u1', 'in line 1: its user is empty'],
    ['t1,alice,u1\n"t2,bob,u2', 'in line 2: a quoted field is not closed'],
  ])('rejects %j with the position', (text, message) => {
    expect(() => parseTokenFile(text, 'tokens.csv')).toThrow(message);
  });

  it('may begin with a byte order mark', () => {
    expect(userOf('\ufefft1,alice,u1\r\n', 't1')).toMatchObject({ name: 'alice' });
  });

  it('has no token in messages', () => {
    for (const text of ['secret,alice', 'secret,a,1\nsecret,b,2', '"sec ret",a,1', 'secret,,1', 'sec"ret,a,1']) {
      expect(() => parseTokenFile(text, 'tokens.csv')).toThrow(
        expect.not.objectContaining({ message: expect.stringMatching(/sec ?"?ret/) }),
      );
    }
  });
});
