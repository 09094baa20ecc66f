import type { Strategy } from '../../../kind.ts';
import { createBindingStrategy } from '../binding-rules.ts';

export const createStrategy = (groupSuffix: string): Strategy =>
  createBindingStrategy({ groupSuffix, roleKinds: ['ClusterRole'], isNamespaced: false });
