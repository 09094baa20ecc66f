/** Rules from the facts about single fields: numeric bounds, enums, and fields without effect. */
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import type { ConfigField } from '../kinds/config-kind.ts';
import type { ConfigRule } from './rule.ts';

const numbersWithinBounds: ConfigRule = (document, report, { fields }) => {
  for (const { path, field, value } of fields) {
    if (typeof value !== 'number' || isWithin(field, value)) continue;
    report({ path, reason: 'OutOfRange', message: `must be ${boundsOf(field)}, not ${value}` });
  }
};

/** The default of an enum may be missing from it: an empty string means that nothing was chosen. */
const wordsOfClosedLists: ConfigRule = (document, report, { fields }) => {
  for (const { path, field, value } of fields) {
    if (field.values === undefined || typeof value !== 'string' || field.values.includes(value)) continue;
    if (value === field.default) continue;
    report({ path, reason: 'UnknownValue', message: `must be ${field.values.join(' or ')}, not ${quotedText(value)}` });
  }
};

const settingsWithoutEffect: ConfigRule = (document, report, { fields }) => {
  for (const { path, field, value } of fields) {
    if (field.effectless !== true || !document.isSet(path) || value === field.default) continue;
    report({ path, severity: 'warning', reason: 'NoEffect', message: 'has no effect in current releases' });
  }
};

function isWithin({ minimum, maximum }: ConfigField, value: number): boolean {
  return (typeof minimum !== 'number' || value >= minimum) && (maximum === undefined || value <= maximum);
}

function boundsOf({ minimum, maximum }: ConfigField): string {
  if (maximum === undefined) return `${minimum ?? ''} or more`;
  return minimum === undefined ? `${maximum} or less` : `from ${minimum} to ${maximum}`;
}

export const BOUNDS: readonly ConfigRule[] = [numbersWithinBounds, wordsOfClosedLists, settingsWithoutEffect];
