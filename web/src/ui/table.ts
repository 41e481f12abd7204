// What every table has: paging of 20 with 5, 10 and 20, sorting that can be taken back, sideways scrolling when narrow.
import { t } from '../messages';

export const tableDefaults = {
  paginator: true,
  rows: 20 as number,
  rowsPerPageOptions: [5, 10, 20] as number[],
  paginatorTemplate: 'CurrentPageReport FirstPageLink PrevPageLink PageLinks NextPageLink LastPageLink RowsPerPageDropdown',
  currentPageReportTemplate: t.table.paging,
  removableSort: true,
  scrollable: true,
  // What a cell shows may depend on more than its row: on what another call brought, or the width of the screen.
  cellMemo: false,
} as const;
