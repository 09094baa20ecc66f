import { globSync } from 'node:fs';
import path from 'node:path';
import type { ObjectShape } from '../../pkg/apis/type-shape.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Every struct that the type facts know, by its name: `batch.v1.CronJobSpec`. */
export async function allShapes(): Promise<ReadonlyMap<string, ObjectShape>> {
  const shapes = new Map<string, ObjectShape>();
  for (const file of globSync('pkg/apis/**/shapes.gen.ts', { cwd: root })) {
    const module = (await import(path.join(root, file))) as Readonly<Record<string, ObjectShape>>;
    for (const shape of Object.values(module)) shapes.set(shape.name, shape);
  }
  return shapes;
}
