/** The pod that empties a volume which is given back. */
import { quotedText } from '../../../apimachinery/status/quoted-text.ts';
import { fault } from './file-fault.ts';
import type { FileCheck } from './file-fault.ts';
import { fieldOf, readObject, textOf } from './read-object.ts';

/** It needs a volume to put in: the first one is replaced by the one to empty. */
export const podTemplate: FileCheck = (text) => {
  const read = readObject(text);
  if ('fault' in read) return [read.fault];
  const kind = `${textOf(read.fields, 'apiVersion')} ${textOf(read.fields, 'kind')}`.trim();
  if (kind !== 'v1 Pod') return [fault(`holds ${kind === '' ? 'no kind' : quotedText(kind)}, not a v1 Pod`)];
  const volumes = fieldOf(fieldOf(read.fields, 'spec'), 'volumes');
  return Array.isArray(volumes) && volumes.length > 0 ? [] : [fault('holds a pod without a volume')];
};
