/** Checks a kubeconfig: it parses, and its current context leads to a server. */
import { quotedText } from '../../../apimachinery/status/quoted-text.ts';
import { fileError } from './file-problem.ts';
import type { FileCheck, FileProblem } from './file-problem.ts';
import { fieldOf, readObject, textOf } from './read-object.ts';
import type { ObjectFields } from './read-object.ts';

const KIND = 'Config';
const VERSION = 'v1';

export const clientConfig: FileCheck = (text) => {
  const read = readObject(text);
  if ('problem' in read) return [read.problem];
  const { fields } = read;
  const kind = textOf(fields, 'kind');
  const version = textOf(fields, 'apiVersion');
  if ((kind !== '' && kind !== KIND) || (version !== '' && version !== VERSION)) {
    return [fileError(`contains ${quotedText(`${version} ${kind}`.trim())}, not a kubeconfig, ${VERSION} ${KIND}`)];
  }
  for (const list of ['clusters', 'users', 'contexts']) {
    const value = fieldOf(fields, list);
    if (value !== undefined && value !== null && !Array.isArray(value))
      return [fileError(`is not a kubeconfig: its ${list} are not a list`)];
  }
  return currentContext(fields);
};

function currentContext(fields: ObjectFields): FileProblem[] {
  const current = textOf(fields, 'current-context');
  // A client would use the server from its environment, which is not in the file.
  if (current === '') return [fileError('names no current-context')];
  const context = fieldOf(entryNamed(fields, 'contexts', current), 'context');
  if (context === undefined) return [fileError(`has no context ${quotedText(current)}, which is its current-context`)];
  const [cluster, user] = [textOf(context, 'cluster'), textOf(context, 'user')];
  const server = fieldOf(entryNamed(fields, 'clusters', cluster), 'cluster');
  return [
    ...(server === undefined ? [fileError(`has no cluster ${quotedText(cluster)}, which its current-context names`)] : []),
    ...(server !== undefined && textOf(server, 'server') === '' ? [fileError(`has no server in its cluster ${quotedText(cluster)}`)] : []),
    ...(user !== '' && entryNamed(fields, 'users', user) === undefined
      ? [fileError(`has no user ${quotedText(user)}, which its current-context names`)]
      : []),
  ];
}

function entryNamed(fields: ObjectFields, list: string, name: string): unknown {
  const entries = fieldOf(fields, list);
  return Array.isArray(entries) ? entries.find((entry) => textOf(entry, 'name') === name) : undefined;
}
