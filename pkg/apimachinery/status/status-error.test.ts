import { describe, expect, it } from '@jest/globals';
import { duplicateValue, forbidden, invalidValue, notSupported, required, tooLong, tooMany } from './causes.ts';
import { alreadyExists, badRequest, invalid, notFound, objectModified, StatusError } from './status-error.ts';

const cronJobs = { group: 'batch', resource: 'cronjobs' };
const cronJob = { group: 'batch', kind: 'CronJob' };

describe('StatusError', () => {
  it('converts to a Status with code, reason and details', () => {
    expect(notFound(cronJobs, 'a').toStatus()).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'cronjobs.batch "a" not found',
      reason: 'NotFound',
      details: { name: 'a', group: 'batch', kind: 'cronjobs' },
      code: 404,
    });
    expect(badRequest('no').toStatus()).not.toHaveProperty('details');
  });

  it('carries a continue token', () => {
    expect(new StatusError('Expired', 'gone', { continueToken: 'x' }).toStatus()).toMatchObject({ code: 410, metadata: { continue: 'x' } });
  });

  it('has the messages of Kubernetes', () => {
    expect(alreadyExists(cronJobs, 'a').message).toBe('cronjobs.batch "a" already exists');
    expect(objectModified(cronJobs, 'a').message).toBe(
      'Operation cannot be fulfilled on cronjobs.batch "a": the object has been modified; please apply your changes to the latest version and try again',
    );
  });

  it('formats one cause plainly, and several unique ones in brackets', () => {
    const causes = [required('spec.schedule'), invalidValue('spec.x', 'y', 'is bad'), required('spec.schedule')];
    expect(invalid(cronJob, 'a', causes.slice(0, 1)).message).toBe('CronJob.batch "a" is invalid: spec.schedule: Required value');
    expect(invalid(cronJob, 'a', causes).message).toBe(
      'CronJob.batch "a" is invalid: [spec.schedule: Required value, spec.x: Invalid value: "y": is bad]',
    );
    expect(invalid(cronJob, 'a', causes).details?.causes).toHaveLength(3);
    expect(invalid(cronJob, 'a', []).message).toBe('CronJob.batch "a" is invalid');
  });

  it('omits an empty name from its details', () => {
    expect(invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', []).details).toEqual({
      group: 'meta.k8s.io',
      kind: 'PatchOptions',
      causes: [],
    });
  });
});

describe('causes', () => {
  it.each([
    [required('f', 'say it'), 'Required value: say it'],
    [invalidValue('f', -1, 'must be greater than or equal to 0'), 'Invalid value: -1: must be greater than or equal to 0'],
    [invalidValue('f', null, 'x'), 'Invalid value: null: x'],
    [notSupported('f', 'x', ['A', 'B']), 'Unsupported value: "x": supported values: "A", "B"'],
    [duplicateValue('f', 'x'), 'Duplicate value: "x"'],
    [forbidden('f', 'not here'), 'Forbidden: not here'],
    [tooLong('f', 63), 'Too long: may not be more than 63 bytes'],
    [tooMany('f', 21, 20), 'Too many: 21: must have at most 20 items'],
  ])('describe the error: %o', ({ message }, expected) => {
    expect(message).toBe(expected);
  });
});
