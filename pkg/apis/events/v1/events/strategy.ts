import { NO_CAUSES } from '../../../../apimachinery/status/causes.ts';
import { defineStrategy } from '../../../define-strategy.ts';
import { immutableCauses, seriesChanged } from './immutable-fields.ts';
import { validateEvent, validateNewForm, validateSeries } from './rules.ts';
import type { Event } from './types.gen.ts';

/** The first non-empty value. */
const firstOf = (...values: readonly (string | undefined)[]): string => values.find((value) => value !== undefined && value !== '') ?? '';

export const strategy = defineStrategy<Event>({
  // Recorders send the whole Event again if its first write was lost or it has expired.
  updateCreates: true,
  unconditionalUpdate: true,
  propagationFinalizers: false,
  expires: true,
  validateCreate: (event) => [...validateEvent(event), ...validateNewForm(event)],
  validateUpdate: (event, stored) => [
    ...validateEvent(event),
    ...(seriesChanged(event, stored) ? validateSeries(event) : NO_CAUSES),
    ...immutableCauses(event, stored),
  ],
  selectableFields: {
    reason: ({ reason }) => reason ?? '',
    type: ({ type }) => type ?? '',
    reportingController: ({ reportingController }) => reportingController ?? '',
    source: ({ deprecatedSource, reportingController }) => firstOf(deprecatedSource?.component, reportingController),
    'regarding.kind': ({ regarding }) => regarding?.kind ?? '',
    'regarding.namespace': ({ regarding }) => regarding?.namespace ?? '',
    'regarding.name': ({ regarding }) => regarding?.name ?? '',
    'regarding.uid': ({ regarding }) => regarding?.uid ?? '',
    'regarding.apiVersion': ({ regarding }) => regarding?.apiVersion ?? '',
    'regarding.resourceVersion': ({ regarding }) => regarding?.resourceVersion ?? '',
    'regarding.fieldPath': ({ regarding }) => regarding?.fieldPath ?? '',
  },
});
