import { describe, expect, it } from '@jest/globals';
import { judgedCloud, judgedCluster } from '../../../test/support/judged-config.ts';

describe('controller lists', () => {
  const controllers = (...names: string[]) => judgedCluster(`Generic: {Controllers: ${JSON.stringify(names)}}`);

  it.each([
    [['*', '-foo'], 'error Generic.Controllers[1]: "-foo" names no known controller'],
    [['*,-ttl'], 'error Generic.Controllers[0]: "*,-ttl" names no known controller; each name must be a separate element'],
    [['-*'], 'error Generic.Controllers[0]: "-*" names no known controller'],
    [[''], 'error Generic.Controllers[0]: "" names no known controller'],
    [
      ['cronjob-controler'],
      'error Generic.Controllers[0]: "cronjob-controler" names no known controller; did you mean cronjob-controller?',
    ],
    [['CronJob'], 'error Generic.Controllers[0]: "CronJob" names no known controller; did you mean cronjob?'],
    [
      ['-ttl', 'ttl-controller'],
      'warning Generic.Controllers[1]: has no effect: Generic.Controllers[0], "-ttl", is the first for ttl-controller and takes precedence',
    ],
    [['*', '*'], 'warning Generic.Controllers[1]: has no effect: Generic.Controllers[0], "*", is the first for all and takes precedence'],
  ])('%j', (names, problem) => expect(controllers(...names)).toEqual([problem]));

  it('may exclude controllers before or after the star', () => {
    expect(controllers('job', '-ttl')).toEqual([
      'warning Generic.Controllers[1]: has no effect: without "*" in Generic.Controllers only what it names runs',
    ]);
    expect(controllers('-ttl', '*')).toEqual([]);
    expect(controllers('-ttl', 'ttl', 'job')).toHaveLength(1);
  });

  it('may have items after the star', () => expect(controllers('*', '-ttl', 'tokencleaner')).toEqual([]));

  it('of the cloud component may contain names of the provider', () => {
    expect(judgedCloud('Generic: {Controllers: ["*", "-mine"]}')).toEqual([
      'warning Generic.Controllers[1]: "-mine" names no known controller',
    ]);
    expect(judgedCloud('Generic: {Controllers: ["*", " mine"]}')).toEqual([
      'error Generic.Controllers[1]: " mine" names no known controller',
    ]);
  });
});

describe('webhook lists', () => {
  const webhooks = (...names: string[]) => judgedCloud(`Webhook: {Webhooks: ${JSON.stringify(names)}}`);
  const at = (index: number) => `warning Webhook.Webhooks[${index}]: has no effect: `;

  it('accept any names, and the first item for a name counts', () => {
    expect(webhooks('*', 'a', '-b')).toEqual([]);
    expect(webhooks('a', '-a')).toEqual([`${at(1)}Webhook.Webhooks[0], "a", is the first for a and takes precedence`]);
    expect(webhooks('-a', 'a', '*')).toEqual([`${at(1)}Webhook.Webhooks[0], "-a", is the first for a and takes precedence`]);
    expect(webhooks('a', '-b')).toEqual([`${at(1)}without "*" in Webhook.Webhooks only what it names runs`]);
  });
});
