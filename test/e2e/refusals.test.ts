/** What is refused, with which code, reason and causes: nothing a client sends yields a 500 or ends the process. */
import { describe, expect, it } from '@jest/globals';
import { CONTROLLER_REVISION, CRON_JOB, EVENT, POD_DISRUPTION_BUDGET, collectionPath, itemPath } from '../support/kinds.ts';
import { describeServer } from '../support/stores.ts';

const namespace = 'refusals';
const collection = collectionPath(CRON_JOB, namespace);
const sample = (name: string) => CRON_JOB.sample(name, namespace);
const json = JSON.stringify;

describeServer('Refusals', (api) => {
  describe('type errors', () => {
    it('are refused with every cause at once', async () => {
      const answer = await api.post(collection, {
        ...sample('types'),
        spec: {
          schedule: 5,
          suspend: 'yes',
          failedJobsHistoryLimit: '1',
          jobTemplate: {
            spec: { template: { spec: { containers: [{ name: 'main', image: 'x', ports: 'many' }], nodeSelector: { a: 1 } } } },
          },
        },
      });
      expect(answer.code).toBe(400);
      const fields = (answer.status().details?.causes ?? []).map(({ field }) => field);
      expect(fields).toEqual(
        expect.arrayContaining([
          'spec.schedule',
          'spec.suspend',
          'spec.failedJobsHistoryLimit',
          'spec.jobTemplate.spec.template.spec.containers[0].ports',
          expect.stringMatching(/^spec\.jobTemplate\.spec\.template\.spec\.nodeSelector[.[]"?a"?\]?$/),
        ]),
      );
    });

    it.each([
      ['spec of the wrong type', { ...sample('t'), spec: [] }, 'spec'],
      ['metadata of the wrong type', { ...sample('t'), metadata: 'x' }, 'metadata'],
      ['labels that are no strings', { ...sample('t'), metadata: { name: 't', labels: { a: 1 } } }, 'metadata.labels'],
      [
        'a fraction where an integer belongs',
        { ...sample('t'), spec: { schedule: '* * * * *', startingDeadlineSeconds: 1.5, jobTemplate: {} } },
        'spec.startingDeadlineSeconds',
      ],
    ])('are refused: %s', async (_what, body, field) => {
      const answer = await api.post(collection, body);
      expect(answer.code).toBe(400);
      expect(answer.text).toContain(field);
    });

    it('include an integer beyond its 64 bits', async () => {
      const body = json(sample('int64')).replace('"schedule"', '"startingDeadlineSeconds":9223372036854775808,"schedule"');
      const answer = await api.send('POST', collection, { body });
      expect(answer.code).toBe(400);
      expect(answer.text).toContain('startingDeadlineSeconds');
    });

    it('include a missing required field', async () => {
      const answer = await api.post(collection, { ...sample('required'), spec: { jobTemplate: {} } });
      expect(answer.code).toBe(422);
      expect(answer.text).toContain('spec.schedule');
    });

    it('leave a text or a number for an int-or-percent', async () => {
      const budgets = collectionPath(POD_DISRUPTION_BUDGET, namespace);
      const budget = POD_DISRUPTION_BUDGET.sample('either', namespace);
      expect((await api.post(budgets, { ...budget, spec: { minAvailable: 3 } })).object()['spec']).toMatchObject({ minAvailable: 3 });
      const neither = { ...budget, metadata: { name: 'neither' }, spec: { minAvailable: true } };
      expect((await api.post(budgets, neither)).code).toBe(400);
    });
  });

  describe('bodies', () => {
    it.each([
      ['nothing', ''],
      ['no JSON', 'hello'],
      ['half an object', '{"kind":"CronJob",'],
      ['two objects', '{}{}'],
      ['an array', '[]'],
      ['a number', '7'],
      ['a byte that is no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ])('that are %s are refused with 400', async (_what, body) => {
      const answer = await api.send('POST', collection, { body });
      expect(answer.status()).toMatchObject({ code: 400, reason: 'BadRequest' });
    });

    it('nested deeper than any object are refused with 400', async () => {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const body = json(sample('deep')).replace('"spec"', `"deep":${deep},"spec"`);
      expect((await api.send('POST', collection, { body })).status()).toMatchObject({ code: 400, reason: 'BadRequest' });
    });

    it('larger than 3 MiB are refused with 413', async () => {
      const object = sample('large');
      const body = { ...object, metadata: { ...object.metadata, annotations: { bulk: 'x'.repeat(3 * 1024 * 1024) } } };
      expect((await api.post(collection, body)).status()).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
    });

    it('whose object would be too large for the store are refused with 413', async () => {
      const revisions = collectionPath(CONTROLLER_REVISION, namespace);
      const body = { ...CONTROLLER_REVISION.sample('bulky', namespace), data: { bulk: 'x'.repeat(1_600_000) } };
      expect((await api.post(revisions, body)).status()).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
    });

    it('just below that are taken', async () => {
      const revisions = collectionPath(CONTROLLER_REVISION, namespace);
      const body = { ...CONTROLLER_REVISION.sample('heavy', namespace), data: { bulk: 'x'.repeat(1_400_000) } };
      expect((await api.post(revisions, body)).code).toBe(201);
      expect((await api.get(`${revisions}/heavy`)).text).toContain('x'.repeat(1_400_000));
    });

    it('of another media type are refused with 415', async () => {
      const answer = await api.send('POST', collection, { body: 'x', headers: { 'content-type': 'text/plain' } });
      expect(answer.status()).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
    });

    it('without a Content-Type are read as JSON', async () => {
      const answer = await fetch(`${api.baseUrl}${collection}`, { method: 'POST', body: Buffer.from(json(sample('untyped'))) });
      expect(answer.status).toBe(201);
    });
  });

  it('nothing usable in Accept is refused with 406', async () => {
    expect((await api.get(collection, { accept: 'image/png' })).status()).toMatchObject({ code: 406, reason: 'NotAcceptable' });
  });

  describe('paths', () => {
    it.each([
      '/apis/batch/v9',
      '/apis/batch/v9/cronjobs',
      '/api/v2',
      '/apis/batch/v1/nothings',
      '/apis/batch/v1/namespaces/x/nothings/y',
      '/apis/batch/v1/namespaces/x/cronjobs/y/scale',
      '/apis/apps/v1/namespaces/x/controllerrevisions/y/status',
    ])('below a known group answer a Status 404: %s', async (path) => {
      expect((await api.get(path)).status()).toMatchObject({ code: 404, reason: 'NotFound' });
    });

    it.each(['/apis/unknown/v1/things', '/apis/unknown/v1', '/apis/unknown', '/nothing', '/apis/batch/v1/namespaces/x/cronjobs/y/z/z'])(
      'that nobody knows answer 404: %s',
      async (path) => {
        expect((await api.get(path)).code).toBe(404);
      },
    );

    it.each([
      '/apis/batch/v1/namespaces/%zz/cronjobs',
      '/apis/batch/v1/namespaces/x/cronjobs/%2e%2e',
      '/apis/batch/v1/../../etc/passwd',
      '//apis',
      '/apis/batch/v1/namespaces//cronjobs',
    ])('that are odd answer below 500: %s', async (path) => {
      const answer = await api.get(path);
      expect(answer.code).toBeGreaterThanOrEqual(300);
      expect(answer.code).toBeLessThan(500);
    });

    it('with an escaped name reach the object', async () => {
      await api.post(collection, sample('escaped'));
      expect((await api.get(`/apis/batch/v1/namespaces/${namespace}/cronjobs/esc%61ped`)).code).toBe(200);
    });

    it('refuse what is no method of HTTP with 400', async () => {
      expect((await api.send('BREW', collection)).code).toBe(400);
    });

    it.each([
      ['PUT', collection],
      ['PATCH', collection],
      ['POST', itemPath(CRON_JOB, namespace, 'x')],
      ['DELETE', '/apis/batch/v1/cronjobs'],
      ['TRACE', collection],
      ['POST', '/apis'],
      ['DELETE', '/version'],
    ])('refuse a method they do not have with 405: %s %s', async (method, path) => {
      expect((await api.send(method, path)).code).toBe(405);
    });

    it('refuse HEAD with 405 and no body, as Kubernetes does', async () => {
      expect(await api.send('HEAD', collection)).toMatchObject({ code: 405, text: '' });
    });
  });

  describe('values', () => {
    it('outside a closed list are refused as Invalid, all of them at once', async () => {
      const object = sample('values');
      const answer = await api.post(collection, {
        ...object,
        spec: {
          ...(object['spec'] as object),
          concurrencyPolicy: 'Sometimes',
          jobTemplate: {
            spec: { template: { spec: { restartPolicy: 'Never', dnsPolicy: 'Guess', containers: [{ name: 'main', image: 'x' }] } } },
          },
        },
      });
      expect(answer.code).toBe(422);
      expect(answer.status()).toMatchObject({ reason: 'Invalid', details: { name: 'values', kind: 'CronJob', group: 'batch' } });
      expect((answer.status().details?.causes ?? []).map(({ field, reason }) => `${field ?? ''} ${reason ?? ''}`)).toEqual([
        'spec.concurrencyPolicy FieldValueNotSupported',
        'spec.jobTemplate.spec.template.spec.dnsPolicy FieldValueNotSupported',
      ]);
    });

    it('are refused for an Event without eventTime', async () => {
      const { eventTime: _time, ...event } = EVENT.sample('timeless', namespace);
      const answer = await api.post(collectionPath(EVENT, namespace), event);
      expect(answer.code).toBe(422);
      expect(answer.text).toContain('eventTime');
    });
  });

  it('leave the server alive', async () => {
    expect((await api.get('/livez')).text).toBe('ok');
  });
});
