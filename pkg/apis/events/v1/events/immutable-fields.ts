/** The immutable fields of an Event: all but its metadata and its series. */
import { invalidWhole } from '../../../../apimachinery/status/causes.ts';
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
const IMMUTABLE = FIELDS.map(([name, cause]) => ({ cause, shape: shapeOfField(name) }));

export const immutableCauses = (event: AnyEvent, stored: AnyEvent): readonly StatusCause[] =>
  IMMUTABLE.filter(({ shape }) => !equalByShape(shape, event, stored)).map(({ cause }) => invalidWhole(cause, 'field is immutable'));

export const seriesChanged = (event: AnyEvent, stored: AnyEvent): boolean => !equalByShape(SERIES, event, stored);
