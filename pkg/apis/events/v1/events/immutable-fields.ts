/** The immutable fields of an Event: all but its metadata and its series. */
import { invalidValue, invalidWhole } from '../../../../apimachinery/status/causes.ts';
import type { StatusCause } from '../../../../apimachinery/status/status-error.ts';
import type { ObjectShape } from '../../../type-shape.ts';
import { equalByShape } from '../../../equal-by-shape.ts';
import type { AnyEvent } from './rules.ts';
import { EventShape } from './shapes.gen.ts';

/** Fields in Kubernetes' order, with their names in causes. */
const FIELDS = [
  ['regarding', 'involvedObject'],
  ['reason', 'reason'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
] as const satisfies readonly (readonly [keyof AnyEvent, string])[];

/** The shape of an Event with only this field. */
const shapeOfField = (name: keyof AnyEvent): ObjectShape => ({
  ...EventShape,
  fields: EventShape.fields.filter((field) => field.name === name),
});

const SERIES = shapeOfField('series');
const IMMUTABLE = FIELDS.map(([name, cause]) => ({ name, cause, shape: shapeOfField(name) }));
const IS_IMMUTABLE = 'field is immutable';
/** What an absent field is shown as; others are null. */
const EMPTY: Readonly<Partial<Record<keyof AnyEvent, string | number>>> = {
  reason: '',
  note: '',
  deprecatedCount: 0,
  type: '',
  action: '',
  reportingController: '',
  reportingInstance: '',
};

export const immutableCauses = (event: AnyEvent, stored: AnyEvent): readonly StatusCause[] =>
  IMMUTABLE.filter(({ shape }) => !equalByShape(shape, event, stored)).map(({ name, cause }) => {
    const value = event[name] ?? EMPTY[name] ?? null;
    return typeof value === 'object' && value !== null ? invalidWhole(cause, IS_IMMUTABLE) : invalidValue(cause, value, IS_IMMUTABLE);
  });

export const seriesChanged = (event: AnyEvent, stored: AnyEvent): boolean => !equalByShape(SERIES, event, stored);
