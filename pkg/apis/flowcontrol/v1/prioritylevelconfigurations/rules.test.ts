import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openRules, type Rules } from '../../../../../test/support/rules.ts';
import type { JsonObject } from '../../../../apimachinery/json/json-value.ts';

const KIND = 'PriorityLevelConfiguration';
const QUEUING = { queues: 16, handSize: 4, queueLengthLimit: 20 };
const limited = (more: JsonObject = {}): JsonObject => ({ type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...more } });
const queuing = (more: JsonObject): JsonObject => limited({ limitResponse: { type: 'Queue', queuing: { ...QUEUING, ...more } } });
const AT_QUEUING = 'spec.limited.limitResponse.queuing';

describe('A PriorityLevelConfiguration', () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  const ofExempt = (spec: JsonObject) => rules.create(KIND, { metadata: { name: 'exempt' }, spec });

  it('has defaults', async () => {
    const { object } = await rules.create(KIND, { spec: limited({ limitResponse: { type: 'Queue', queuing: {} } }) });
    expect(object?.['spec']).toEqual({
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 30,
        lendablePercent: 0,
        limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
      },
    });
  });

  it.each<[string, JsonObject]>([
    ['no shares', limited({ nominalConcurrencyShares: 0 })],
    ['all seats to lend', limited({ lendablePercent: 100 })],
    ['more to borrow than its own', limited({ borrowingLimitPercent: 500 })],
    ['a hand of all queues', queuing({ queues: 1, handSize: 1 })],
  ])('may have %s', async (_, valid) => {
    expect((await rules.create(KIND, { spec: valid })).causes).toEqual([]);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['no type', {}, ['Required spec.type']],
    ['an unknown type', { type: 'x' }, ['NotSupported spec.type']],
    ['the type of exempt', { type: 'Exempt' }, ['Invalid spec.type']],
    ['no limits', { type: 'Limited' }, ['Required spec.limited']],
    ['both members', { ...limited(), exempt: {} }, ['Forbidden spec.exempt']],
    ['negative shares', limited({ nominalConcurrencyShares: -1 }), ['Invalid spec.limited.nominalConcurrencyShares']],
    ['more than all to lend', limited({ lendablePercent: 101 }), ['Invalid spec.limited.lendablePercent']],
    ['a negative borrowing limit', limited({ borrowingLimitPercent: -1 }), ['Invalid spec.limited.borrowingLimitPercent']],
    ['no response', limited({ limitResponse: {} }), ['Required spec.limited.limitResponse.type']],
    ['an unknown response', limited({ limitResponse: { type: 'x' } }), ['NotSupported spec.limited.limitResponse.type']],
    ['queues without their number', limited({ limitResponse: { type: 'Queue' } }), [`Required ${AT_QUEUING}`]],
    ['queues of a level that rejects', limited({ limitResponse: { type: 'Reject', queuing: QUEUING } }), [`Forbidden ${AT_QUEUING}`]],
    [
      'negative numbers of queues',
      queuing({ queues: -1, handSize: -1, queueLengthLimit: -1 }),
      ['queueLengthLimit', 'queues', 'handSize'].map((name) => `Invalid ${AT_QUEUING}.${name}`),
    ],
    ['too many queues', queuing({ queues: 10_000_001, handSize: 1 }), [`Invalid ${AT_QUEUING}.queues`]],
    ['a hand larger than the deck', queuing({ queues: 4, handSize: 5 }), [`Invalid ${AT_QUEUING}.handSize`]],
    ['a hand that needs more than 60 bits', queuing({ queues: 512, handSize: 7 }), [`Invalid ${AT_QUEUING}.handSize`]],
  ])('may not have %s', async (_, wrong, causes) => {
    expect((await rules.create(KIND, { spec: wrong })).causes).toEqual(causes);
  });

  it('of the name exempt may lend, and nothing else', async () => {
    expect((await ofExempt(limited())).messages).toMatchObject({
      'spec.type': "Invalid value: \"Limited\": must be 'Exempt' if and only if `name` is 'exempt'",
      spec:
        'Invalid value: {"Type":"Limited","Limited":{"NominalConcurrencyShares":30,"LimitResponse":{"Type":"Reject","Queuing":null},' +
        '"LendablePercent":0,"BorrowingLimitPercent":null},"Exempt":null}: ' +
        "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value",
    });
    const exempt = (more: JsonObject) => ofExempt({ type: 'Exempt', exempt: { ...more } });
    expect((await exempt({ nominalConcurrencyShares: -1 })).causes).toEqual(['Invalid spec.exempt.nominalConcurrencyShares']);
    expect((await exempt({ nominalConcurrencyShares: 10, lendablePercent: 50 })).causes).toEqual([]);
  });

  it('may not keep the annotation of another version', async () => {
    const annotations = { 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '' };
    expect((await rules.create(KIND, { metadata: { annotations }, spec: limited() })).causes).toEqual(['Forbidden metadata.annotations']);
  });
});
