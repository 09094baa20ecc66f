import { expect } from '@jest/globals';
import { checkDnsSubdomain } from '../../pkg/apimachinery/meta/names.ts';
import { validateObjectMeta, type CheckedMetadata } from '../../pkg/apimachinery/meta/object-meta.ts';
import { runnerOf } from './vector.ts';

interface MetaVector {
  readonly namespaced: boolean;
  readonly metadata?: CheckedMetadata;
  /** With markers such as `<repeat x 262144>`. */
  readonly metadataTemplate?: CheckedMetadata;
  readonly expectedErrors: readonly { readonly field: string; readonly type: string }[];
}

const repeated = (template: CheckedMetadata | undefined): CheckedMetadata =>
  JSON.parse(
    JSON.stringify(template ?? {}).replace(/<repeat (.) (\d+)>/g, (_, unit: string, times: string) => unit.repeat(Number(times))),
  ) as CheckedMetadata;

export const objectMeta = runnerOf<MetaVector>(({ namespaced, metadata, metadataTemplate, expectedErrors }) => {
  const causes = validateObjectMeta(metadata ?? repeated(metadataTemplate), { namespaced, checkName: checkDnsSubdomain });
  expect(causes.map(({ field, reason }) => ({ field, type: reason }))).toEqual(expectedErrors);
});
