// The top menu in the specification's order (A 2.2), cut down to what exists and to what the worker may open.
import { mayOpen, Right } from '../auth/rights';
import { t } from '../messages';
import { screenAt } from '../screens';

export interface MenuItem {
  label: string;
  to: string;
  rights?: readonly Right[];
}

export interface MenuGroup {
  label: string;
  items: readonly MenuItem[];
}

const item = (label: string, to: string, ...rights: Right[]): MenuItem => ({ label, to, rights });

const REGISTERS = item(t.menu.registers, '/registri');

const ADMINISTRATION: readonly MenuGroup[] = [
  {
    label: t.menu.people,
    items: [
      item(t.menu.roles, '/admin/uloge', Right.Roles),
      item(t.menu.institutions, '/admin/ustanove', Right.Institutions),
      item(t.menu.workers, '/admin/radnici', Right.Workers),
    ],
  },
  {
    label: t.menu.content,
    items: [
      item(t.menu.adminRegisters, '/admin/registri', Right.Registers),
      item(t.menu.attributeTypes, '/admin/tipoviAtributa', Right.Registers),
      item(t.menu.qualityRules, '/admin/pravilaKvaliteta', Right.QualityRules),
      item(t.menu.parameters, '/admin/parametri', Right.Parameters),
      item(t.menu.statistics, '/admin/statistikaUnosa', Right.EntryStatistics),
      item(t.menu.dataExport, '/izvozPodataka', Right.DataExport),
      item(t.menu.dataImport, '/uvozPodataka', Right.DataImport),
      item(t.menu.merging, '/spajanjePacijenata', Right.Merging),
      item(t.menu.transfers, '/premestanjePacijenata', Right.Transfer),
      item(t.menu.periodLocks, '/zakljucavanjePerioda', Right.EntryLocking),
    ],
  },
  {
    label: t.menu.system,
    items: [
      item(t.menu.log, '/admin/log', Right.Log),
      item(t.menu.looks, '/evidencijaUvida', Right.Looks),
      item(t.menu.warnings, '/admin/upozorenja', Right.WarningsAndReleases),
      item(t.menu.releases, '/admin/verzije', Right.WarningsAndReleases),
      item(t.menu.sponsors, '/admin/sponzori'),
      item(t.menu.maintenance, '/reload', Right.Parameters),
      item(t.menu.operations, '/admin/radSistema', Right.Parameters),
    ],
  },
];

/**
 * The Administracija button needs one of these; sponsors alone do not show it (A 6), nor does what clinicians do with records, which they find
 * beside the registers.
 */
const ADMINISTRATION_RIGHTS: readonly Right[] = [
  Right.Roles,
  Right.Institutions,
  Right.Workers,
  Right.Registers,
  Right.Parameters,
  Right.ReportSetup,
  Right.Log,
  Right.EntryStatistics,
  Right.WarningsAndReleases,
  Right.DataExport,
  Right.DataImport,
  Right.Looks,
  Right.QualityRules,
];

const REPORTS: MenuGroup = {
  label: t.menu.reports,
  items: [
    item(t.menu.reports, '/izvestaji', Right.Reports, Right.ReportSetup),
    // Who only has reports made finds it on their screen.
    item(t.menu.analyses, '/analiza', Right.ReportSetup),
    item(t.menu.reportCategories, '/admin/kategorijeIzvestaja', Right.ReportSetup),
    item(t.menu.reportTypes, '/admin/tipoviStatistickogIzvestaja', Right.ReportSetup),
    item(t.menu.reportUpdate, '/admin/izvestaji', Right.ReportSetup),
    item(t.menu.recipientGroups, '/admin/grupePrimalaca', Right.ReportSetup),
    item(t.menu.reportParameterTypes, '/admin/tipoviParametraIzvestaja', Right.ReportSetup),
  ],
};

export interface Menu {
  registers: MenuItem;
  administration: MenuGroup[];
  reports: MenuItem[];
}

export function menuFor(held: readonly number[], exists: (path: string) => boolean = (path) => screenAt(path) !== undefined): Menu {
  const open = (items: readonly MenuItem[]) => items.filter(({ to, rights }) => exists(to) && mayOpen(held, rights));
  const groups = ADMINISTRATION.map((group) => ({ ...group, items: open(group.items) })).filter(({ items }) => items.length > 0);
  return {
    registers: REGISTERS,
    administration: mayOpen(held, ADMINISTRATION_RIGHTS) ? groups : [],
    reports: open(REPORTS.items),
  };
}
