import { describe, expect, it } from '@jest/globals';
import { SeatDemand } from './seat-demand.ts';

describe('The demand of seats', () => {
  it('is weighted by time, and begins anew with the value it has', () => {
    let now = 1000;
    const demand = new SeatDemand(() => now);
    demand.set(4, 1000);
    demand.set(0, 2000);
    now = 3000;
    expect(demand.reset()).toEqual({ average: 2, deviation: 2, highWatermark: 4, seconds: 2 });
    demand.set(1, 3000);
    now = 4000;
    expect(demand.reset()).toEqual({ average: 1, deviation: 0, highWatermark: 1, seconds: 1 });
    now = 5000;
    expect(demand.reset()).toEqual({ average: 1, deviation: 0, highWatermark: 1, seconds: 1 });
  });

  it('is what it is when no time has passed', () => {
    const demand = new SeatDemand(() => 1000);
    demand.set(3, 1000);
    expect(demand.reset()).toEqual({ average: 3, deviation: 0, highWatermark: 3, seconds: 0 });
  });
});
