import { bindingTable } from '../binding-table.ts';

export const table = bindingTable;
