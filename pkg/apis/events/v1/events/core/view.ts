/**
 * Events in the core group: their original form, which most clients still use. Here, Events of the older form, without
 * eventTime, can be created, and all fields can be changed.
 */
import { checkPathSegment } from '../../../../../apimachinery/meta/names.ts';
import { defineStrategy } from '../../../../define-strategy.ts';
import { createView } from '../../../../kind-view.ts';
import type { Kind, KindView, RenamedField } from '../../../../kind.ts';
import { validateEvent } from '../rules.ts';
import type { Event } from '../types.gen.ts';
import { createDefinition } from './definition.gen.ts';
import { EventShape } from './shapes.gen.ts';

const RENAMED = [
  { name: 'involvedObject', stored: 'regarding' },
  { name: 'message', stored: 'note' },
  { name: 'source', stored: 'deprecatedSource' },
  { name: 'firstTimestamp', stored: 'deprecatedFirstTimestamp' },
  { name: 'lastTimestamp', stored: 'deprecatedLastTimestamp' },
  { name: 'count', stored: 'deprecatedCount' },
  { name: 'reportingComponent', stored: 'reportingController' },
] as const satisfies readonly RenamedField[];

const SELECTED_AS = {
  'involvedObject.kind': 'regarding.kind',
  'involvedObject.namespace': 'regarding.namespace',
  'involvedObject.name': 'regarding.name',
  'involvedObject.uid': 'regarding.uid',
  'involvedObject.apiVersion': 'regarding.apiVersion',
  'involvedObject.resourceVersion': 'regarding.resourceVersion',
  'involvedObject.fieldPath': 'regarding.fieldPath',
  reason: 'reason',
  reportingComponent: 'reportingController',
  source: 'source',
  type: 'type',
} as const;

const validate = (event: Parameters<typeof validateEvent>[0]) => validateEvent(event, 'reportingComponent');

export const createCoreView = (kind: Kind, groupSuffix: string): KindView =>
  createView(kind, {
    definition: createDefinition(groupSuffix),
    shape: EventShape,
    renamed: RENAMED,
    selectedAs: SELECTED_AS,
    strategy: defineStrategy<Event>({
      checkName: checkPathSegment,
      checksStandardFinalizers: 'never',
      validateCreate: validate,
      validateUpdate: validate,
    }),
  });
