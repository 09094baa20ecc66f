/** Rules for `Generic.Controllers` and `Webhook.Webhooks`: `*`, `name` and `-name`; the first one for a name counts. */
import { quotedText } from '../../apimachinery/status/quoted-text.ts';
import { canonicalNames } from '../kinds/controllers-of.ts';
import { createSuggester } from '../read/nearest-name.ts';
import type { ConfigRule } from './rule.ts';

const CONTROLLERS = 'Generic.Controllers';
const ALL = '*';

/** Removes one leading `-`. */
const nameOf = (selector: string): string => (selector.startsWith('-') ? selector.slice(1) : selector);

/** Cloud providers add controllers of their own, so unknown names are only warnings there. */
const knownControllers: ConfigRule = (document, report) => {
  if (document.kind === 'LeaderMigrationConfiguration') return;
  const isOpen = document.kind === 'CloudControllerManagerConfiguration';
  const canonical = canonicalNames(document.kind);
  const suggest = createSuggester(canonical.keys());
  for (const [index, selector] of document.config.Generic.Controllers.entries()) {
    const name = nameOf(selector);
    if (selector === ALL || canonical.has(name)) continue;
    const isName = name.trim() === name && name !== '' && name !== ALL;
    const near = suggest(name);
    report({
      path: `${CONTROLLERS}[${index}]`,
      severity: isOpen && isName ? 'warning' : 'error',
      reason: 'UnknownController',
      message: `${quotedText(selector)} names no known controller${hintFor(name, near)}`,
    });
  }
};

const selectorsWithoutEffect: ConfigRule = (document, report, { fields }) => {
  const canonical = canonicalNames(document.kind);
  for (const { path, field, value } of fields) {
    if (field.selectors !== true || !Array.isArray(value)) continue;
    const first = new Map<string, number>();
    for (const [index, selector] of value.entries()) {
      if (typeof selector !== 'string') continue;
      const given = nameOf(selector);
      const name = path === CONTROLLERS ? (canonical.get(given) ?? given) : given;
      const before = first.get(name);
      if (before === undefined) {
        first.set(name, index);
        continue;
      }
      report({
        path: `${path}[${index}]`,
        severity: 'warning',
        reason: 'NoEffect',
        message: `has no effect: ${path}[${before}], ${quotedText(String(value[before]))}, is the first for ${name === ALL ? 'all' : name} and takes precedence`,
      });
    }
  }
};

/** Without `*` only named controllers run, so exclusions have no effect. */
const exclusionsWithoutWildcard: ConfigRule = (document, report, { fields }) => {
  for (const { path, field, value } of fields) {
    if (field.selectors !== true || !Array.isArray(value) || value.includes(ALL)) continue;
    const items = value.filter((item): item is string => typeof item === 'string');
    const canonical = path === CONTROLLERS ? canonicalNames(document.kind) : new Map<string, string>();
    const canonicalOf = (given: string) => canonical.get(given) ?? given;
    const lastEnabled = new Map(items.flatMap((item, index) => (item.startsWith('-') ? [] : [[canonicalOf(item), index]])));
    const seen = new Set<string>();
    for (const [index, selector] of items.entries()) {
      const name = canonicalOf(nameOf(selector));
      // Repeated items and unknown names are reported by other rules.
      const isFirst = !seen.has(name);
      seen.add(name);
      const isEnabledLater = (lastEnabled.get(name) ?? -1) > index;
      if (!selector.startsWith('-') || name === ALL || !isFirst || isEnabledLater) continue;
      report({
        path: `${path}[${index}]`,
        severity: 'warning',
        reason: 'NoEffect',
        message: `has no effect: without "*" in ${path} only what it names runs`,
      });
    }
  }
};

export const SELECTORS: readonly ConfigRule[] = [knownControllers, selectorsWithoutEffect, exclusionsWithoutWildcard];

function hintFor(name: string, near: string | undefined): string {
  if (name.includes(',')) return '; each name must be a separate element';
  return near === undefined ? '' : `; did you mean ${near}?`;
}
