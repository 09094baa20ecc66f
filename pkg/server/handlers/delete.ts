/** DELETE of one object. */
import { groupDetail } from '../../apimachinery/status/status-error.ts';
import type { DeleteResult } from '../../registry/object-store.ts';
import type { ApiResponse } from '../rims/request.ts';
import { statusBody } from '../shell/write-status.ts';
import { type DeleteOptionsReader, parseDeleteOptions } from './delete-options.ts';
import { objectResponse } from './object-response.ts';
import { readOptionalBody } from './read-object.ts';
import type { Handler, ResourceCall } from './resource-call.ts';
import { managerOf } from './write-options.ts';

export const createDelete =
  (reader: DeleteOptionsReader): Handler =>
  async (call) => {
    const { context, info, resource } = call;
    const options = parseDeleteOptions(await readOptionalBody(call), context.query, reader);
    const fieldManager = managerOf(context.request.headers['user-agent']);
    const result = await resource.store.delete(info, { ...options, fieldManager, signal: context.signal });
    return deleteAnswer(call, result);
  };

function deleteAnswer(call: ResourceCall, result: DeleteResult): ApiResponse {
  const { info, resource } = call;
  const { definition, strategy } = resource.kind;
  if (result.outcome === 'held') return objectResponse(call, result.accepted ? 202 : 200, result.object.json);
  if (strategy.deleteReturnsObject === true) return objectResponse(call, 200, result.object.json);
  return statusBody(200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: info.name, ...groupDetail(definition.group), kind: definition.resource, uid: result.uid },
  });
}
