import { describe, expect, it } from '@jest/globals';
import { judgedCloud, judgedCluster } from '../../../test/support/judged-config.ts';

describe('the rate of a client', () => {
  const connection = (text: string) => `Generic: {ClientConnection: {${text}}}`;

  it('requires a burst of at least one', () => {
    const problem =
      'warning Generic.ClientConnection.burst: is 0: allowed here, but a component does not start with it while qps is more than 0, 20; it must be 1 or more';
    expect(judgedCluster(connection('burst: 0'))).toEqual([problem]);
    expect(judgedCloud(connection('burst: 0'))).toEqual([problem]);
  });

  it.each(['burst: 1', 'burst: 0, qps: 0', 'qps: 100'])('may be {%s}', (text) => expect(judgedCluster(connection(text))).toEqual([]));
});
