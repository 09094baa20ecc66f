import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ofShape } from '../../test/support/shape-values.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { createFeatures } from '../apimachinery/features/features.ts';
import type { JsonObject } from '../apimachinery/json/json-value.ts';
import { createTimeZones } from '../apimachinery/time/time-zones.ts';
import { createView, isView, renamingOf, storedKind, viewsOf } from './kind-view.ts';
import type { Kind, KubernetesObject } from './kind.ts';
import { createKinds } from './kinds.gen.ts';
import type { ObjectShape } from './type-shape.ts';

const kinds = createKinds({ groupSuffix: 'example.org' });
const views = viewsOf(kinds);

const shape: ObjectShape = { shape: 'object', name: 'example.v1.Widget', fields: [] };
const definition = {
  group: 'example.org',
  version: 'v1',
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  listKind: 'WidgetList',
  resource: 'widgets',
  singular: 'widget',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: ['get'],
  subresources: [],
} as const;
const kind: Kind = {
  definition,
  shape,
  table: { columns: [], cells: (widget) => [textOf(widget['inner'])] },
  strategy: {
    applyDefaults: (widget) => ({ ...widget, inner: widget['inner'] ?? 'default' }),
    prepareForCreate: (widget) => ({ ...widget, inner: `${textOf(widget['inner'])} prepared` }),
    applyStoredDefaults: (widget) => ({ ...widget, inner: `${textOf(widget['inner'])} stored` }),
    validateCreate: (widget) => (widget['inner'] === 'bad' ? [{ field: 'inner', reason: 'FieldValueInvalid', message: 'is bad' }] : []),
    warnOnUpdate: (widget, stored) => [`${textOf(stored['inner'])} became ${textOf(widget['inner'])}`],
    selectableFields: { 'inner.name': (widget) => textOf(widget['inner']) },
    expires: true,
  },
};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const options = {
  definition: { ...definition, group: '', apiVersion: 'v1' },
  shape,
  renamed: [{ name: 'outer', stored: 'inner' }],
  selectedAs: { 'outer.name': 'inner.name' },
  strategy: {},
};
const context = { features: createFeatures(), timeZones: createTimeZones() };
const widget = (members: JsonObject): KubernetesObject => ({ kind: 'Widget', apiVersion: 'v1', metadata: {}, ...members });

describe('A view', () => {
  const { strategy, table, ...view } = createView(kind, options);

  it('is a kind of its own, which knows what is stored', () => {
    expect(isView(kind)).toBe(false);
    expect(isView(view)).toBe(true);
    expect(storedKind({ strategy, table, ...view })).toBe(kind);
    expect(storedKind(kind)).toBe(kind);
  });

  it('means the same as its kind under its own names', () => {
    expect(strategy.applyDefaults?.(widget({}))).toEqual(widget({ outer: 'default' }));
    expect(strategy.prepareForCreate?.(widget({ outer: 'a' }))).toEqual(widget({ outer: 'a prepared' }));
    expect(strategy.applyStoredDefaults?.(widget({ outer: 'a' }))).toEqual(widget({ outer: 'a stored' }));
    expect(strategy.validateCreate?.(widget({ outer: 'bad' }), context)).toHaveLength(1);
    expect(strategy.warnOnUpdate?.(widget({ outer: 'b' }), widget({ outer: 'a' }))).toEqual(['a became b']);
    expect(strategy.selectableFields?.['outer.name']?.(widget({ outer: 'a' }))).toBe('a');
    expect(table.cells(widget({ outer: 'a' }))).toEqual(['a']);
    expect(strategy.expires).toBe(true);
    expect(strategy.validateUpdate).toBeUndefined();
  });

  it('may have rules of its own, which are given objects as the kind has them', () => {
    const other = createView(kind, {
      ...options,
      strategy: { validateCreate: (object) => [{ field: textOf(object['inner']), reason: 'FieldValueInvalid', message: '' }] },
    });
    expect(other.strategy.validateCreate?.(widget({ outer: 'a' }), context)).toMatchObject([{ field: 'a' }]);
  });

  it('cannot select by what its kind does not select by', () => {
    expect(() => createView(kind, { ...options, selectedAs: { a: 'b' } })).toThrow('a view selects by a');
  });
});

describe.each(views)('The view $definition.apiVersion of $definition.kind', (view) => {
  const { toStored, toView } = renamingOf(view);
  const namesIn = ({ fields }: ObjectShape) => fields.map(({ name }) => name).sort();

  it('has every field of the kind, and no other', () => {
    const stored = Object.fromEntries(view.shape.fields.map(({ name }) => [name, true]));
    expect(Object.keys(toStored(stored)).sort()).toEqual(namesIn(view.stored.shape));
  });

  it('and back is the identity', () => {
    const typed = (object: unknown, { kind, apiVersion }: typeof view.definition) => ({ ...(object as JsonObject), kind, apiVersion });
    fc.assert(
      fc.property(ofShape(view.shape), (object) => {
        const seen = typed(object, view.definition);
        expect(toView(toStored(seen))).toEqual(seen);
      }),
      propertyRuns(100),
    );
    fc.assert(
      fc.property(ofShape(view.stored.shape), (object) => {
        const stored = typed(object, view.stored.definition);
        expect(toStored(toView(stored))).toEqual(stored);
      }),
      propertyRuns(100),
    );
  });

  it('leaves what it is given as it was', () => {
    const stored = { kind: 'Event', apiVersion: view.stored.definition.apiVersion, metadata: { name: 'a' }, note: 'b' };
    const before = structuredClone(stored);
    expect(toView(stored).metadata).toBe(stored.metadata);
    expect(stored).toEqual(before);
  });

  it('is served with the verbs and the columns of the kind', () => {
    expect(view.definition.verbs).toEqual(view.stored.definition.verbs);
    expect(view.table.columns).toBe(view.stored.table.columns);
  });
});
