/** The X.509 library. It takes 80 to 170 ms to load, so only those who make a certificate do; reading one needs `node:crypto` alone. */
export async function loadX509() {
  installReflection();
  return import('@peculiar/x509');
}

/** The library's container of classes asks for metadata of constructors as the proposal `reflect-metadata` names it. None of its classes has any. */
function installReflection(): void {
  if ('getMetadata' in Reflect) return;
  const ofTarget = new WeakMap<object, Map<unknown, unknown>>();
  const getOwnMetadata = (key: unknown, target: object): unknown => ofTarget.get(target)?.get(key);
  const getMetadata = (key: unknown, target: object | null): unknown =>
    target === null ? undefined : (getOwnMetadata(key, target) ?? getMetadata(key, Reflect.getPrototypeOf(target)));
  const defineMetadata = (key: unknown, value: unknown, target: object): void => {
    ofTarget.set(target, (ofTarget.get(target) ?? new Map<unknown, unknown>()).set(key, value));
  };
  Object.assign(Reflect, { getMetadata, getOwnMetadata, defineMetadata });
}
