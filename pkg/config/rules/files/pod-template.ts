/** Checks the template of the pod that scrubs a released volume. */
import { quotedText } from '../../../apimachinery/status/quoted-text.ts';
import { fileError } from './file-problem.ts';
import type { FileCheck } from './file-problem.ts';
import { fieldOf, readObject, textOf } from './read-object.ts';

/** It needs a volume: the first one is replaced by the volume to scrub. */
export const podTemplate: FileCheck = (text) => {
  const read = readObject(text);
  if ('problem' in read) return [read.problem];
  const kind = `${textOf(read.fields, 'apiVersion')} ${textOf(read.fields, 'kind')}`.trim();
  if (kind !== 'v1 Pod') return [fileError(`contains ${kind === '' ? 'no kind' : quotedText(kind)}, not a v1 Pod`)];
  const volumes = fieldOf(fieldOf(read.fields, 'spec'), 'volumes');
  return Array.isArray(volumes) && volumes.length > 0 ? [] : [fileError('contains a pod without a volume')];
};
