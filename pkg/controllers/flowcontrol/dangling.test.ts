import { describe, expect, it } from '@jest/globals';
import { danglingCondition } from './dangling.ts';

const NOW = Date.parse('2026-03-14T15:09:26.999Z');
const spec = { priorityLevelConfiguration: { name: 'slow' } };

describe('The condition Dangling', () => {
  it('tells whether the level exists, in the words of Kubernetes', () => {
    const start = 'This FlowSchema references the PriorityLevelConfiguration object named "slow"';
    const lastTransitionTime = '2026-03-14T15:09:26Z';
    expect(danglingCondition({ spec }, () => false, NOW)).toEqual({
      ...{ type: 'Dangling', status: 'True', reason: 'NotFound', lastTransitionTime },
      message: `${start} but there is no such object`,
    });
    expect(danglingCondition({ spec }, (name) => name === 'slow', NOW)).toEqual({
      ...{ type: 'Dangling', status: 'False', reason: 'Found', lastTransitionTime },
      message: `${start} and it exists`,
    });
  });

  it('is written only when it changes', () => {
    const condition = danglingCondition({ spec }, () => true, NOW);
    const status = { conditions: [{ type: 'Other' }, { ...condition }] };
    expect(danglingCondition({ spec, status }, () => true, NOW + 5000)).toBeUndefined();
    expect(danglingCondition({ spec, status }, () => false, NOW)).toMatchObject({ status: 'True' });
  });
});
