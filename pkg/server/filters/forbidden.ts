/** The Forbidden error, in the wording of Kubernetes: people search for it and tools parse it. */
import { StatusError } from '../../apimachinery/status/status-error.ts';
import type { AccessRequest } from '../../authorization/authorizer.ts';

/** `reason`: one clause that is appended. */
export function forbidden(request: AccessRequest, reason?: string): StatusError {
  const why = withoutMarkup(sentence(request)) + (reason === undefined ? '' : `: ${reason}`);
  if (!request.isResource) return new StatusError('Forbidden', `forbidden: ${why}`, { details: {} });
  const { group, resource, name } = request;
  const about = (group === '' ? resource : `${resource}.${group}`) + (name === '' ? '' : ` ${JSON.stringify(name)}`);
  return new StatusError('Forbidden', `${about} is forbidden: ${why}`, {
    details: { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource },
  });
}

function sentence(request: AccessRequest): string {
  const who = `User ${JSON.stringify(request.user.name)} cannot ${request.verb}`;
  if (!request.isResource) return `${who} path ${JSON.stringify(request.path)}`;
  const { group, resource, subresource, namespace } = request;
  const what = JSON.stringify(subresource === '' ? resource : `${resource}/${subresource}`);
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${who} resource ${what} in API group ${JSON.stringify(group)} ${where}`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Browsers may take texts for pages. */
export const withoutMarkup = (text: string) => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
