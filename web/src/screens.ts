// Every screen there is. A menu item whose screen is not in this list is not shown.
import type { ComponentType } from 'react';
import { REPORT_RIGHTS, Right } from './auth/rights';

export interface Screen {
  path: string;
  /** Any one of these opens it; without them it is everyone's. */
  rights?: readonly Right[];
  /** About patients: for those whose roles open them. */
  clinical?: boolean;
  load: () => Promise<{ default: ComponentType }>;
}

/** Drawn in one go with the entry that the address shows, where that comes soon. */
async function entryScreen() {
  const screen = await import('./entries/EntryScreen');
  await screen.awaited();
  return screen;
}

export const screens: readonly Screen[] = [
  { path: '/registri', load: () => import('./registers/RegisterListScreen') },
  { path: '/izvestaji', rights: REPORT_RIGHTS, load: () => import('./reports/ReportsScreen') },
  { path: '/analiza', rights: REPORT_RIGHTS, load: () => import('./analyses/AnalysisScreen') },
  { path: '/tabla', rights: REPORT_RIGHTS, load: () => import('./reports/board/BoardScreen') },
  // The server says who may open it, and the others what they lack.
  { path: '/izvestaji/:id', load: () => import('./reports/RunScreen') },
  { path: '/izvestaji/:id/prikaz', load: () => import('./reports/onScreen/ReportViewScreen') },
  { path: '/prikazIzvestaja/:id', rights: REPORT_RIGHTS, load: () => import('./reports/onScreen/ReportOpenScreen') },
  { path: '/mojDan', clinical: true, load: () => import('./plans/MyDayScreen') },
  { path: '/koKasni', clinical: true, load: () => import('./plans/AwaitedScreen') },
  { path: '/mojiUpiti', clinical: true, load: () => import('./questions/MyQuestionsScreen') },
  {
    path: '/kvalitetPodataka',
    clinical: true,
    rights: [Right.Questions, Right.Monitoring, Right.QualityRules],
    load: () => import('./quality/DataQualityScreen'),
  },
  { path: '/kvalitetPodataka/unosi', clinical: true, load: () => import('./quality/QualityEntriesScreen') },
  { path: '/nalazi', clinical: true, load: () => import('./quality/FindingsScreen') },
  { path: '/admin/pravilaKvaliteta', rights: [Right.QualityRules], load: () => import('./admin/QualityRulesScreen') },
  { path: '/registri/:id', clinical: true, load: () => import('./patients/SearchScreen') },
  { path: '/registri2/:id', clinical: true, load: () => import('./patients/SearchScreen') },
  { path: '/mojaLista', clinical: true, load: () => import('./patients/WorklistScreen') },
  { path: '/preuzetiPacijenti', clinical: true, load: () => import('./patients/TakenPatientsScreen') },
  { path: '/spajanjePacijenata', clinical: true, rights: [Right.Merging], load: () => import('./patients/merging/MergingScreen') },
  { path: '/spajanjePacijenata/:id', clinical: true, rights: [Right.Merging], load: () => import('./patients/merging/MergeScreen') },
  { path: '/premestanjePacijenata', clinical: true, rights: [Right.Transfer], load: () => import('./patients/merging/TransfersScreen') },
  { path: '/zakljucavanjePerioda', clinical: true, rights: [Right.EntryLocking], load: () => import('./locks/PeriodLocksScreen') },
  { path: '/pacijenti/:id', clinical: true, load: () => import('./patients/PatientScreen') },
  { path: '/pacijenti/:id/sazetak', clinical: true, load: () => import('./patients/SummaryScreen') },
  { path: '/pacijentArhiva/:id', clinical: true, load: () => import('./patients/PatientArchiveScreen') },
  { path: '/unosi/:id', clinical: true, load: entryScreen },
  { path: '/unosi2/:id', clinical: true, load: entryScreen },
  { path: '/unosArhiva/:id', clinical: true, load: () => import('./patients/EntryArchiveScreen') },
  { path: '/korisnickiProfil', load: () => import('./profile/ProfileScreen') },
  { path: '/admin/verzije', rights: [Right.WarningsAndReleases], load: () => import('./admin/ReleasesScreen') },
  { path: '/admin/upozorenja', rights: [Right.WarningsAndReleases], load: () => import('./admin/WarningScreen') },
  { path: '/admin/ustanove', rights: [Right.Institutions], load: () => import('./admin/InstitutionsScreen') },
  { path: '/admin/uloge', rights: [Right.Roles], load: () => import('./admin/RolesScreen') },
  { path: '/admin/radnici', rights: [Right.Workers], load: () => import('./admin/WorkersScreen') },
  { path: '/admin/tipoviAtributa', rights: [Right.Registers], load: () => import('./admin/AttributeTypesScreen') },
  { path: '/admin/parametri', rights: [Right.Parameters], load: () => import('./admin/ParametersScreen') },
  { path: '/admin/registri', rights: [Right.Registers], load: () => import('./admin/registers/RegistersScreen') },
  { path: '/admin/registri/uvoz', rights: [Right.Registers], load: () => import('./admin/registers/exchange/ImportScreen') },
  { path: '/admin/registar/:id?', rights: [Right.Registers], load: () => import('./admin/registers/RegisterScreen') },
  { path: '/admin/formular/:id?', rights: [Right.Registers], load: () => import('./admin/registers/FormScreen') },
  { path: '/admin/formular/:id/nacrt', rights: [Right.Registers], load: () => import('./admin/registers/designer/FormDesignerScreen') },
  { path: '/admin/log', rights: [Right.Log], load: () => import('./admin/LogScreen') },
  { path: '/admin/statistikaUnosa', rights: [Right.EntryStatistics], load: () => import('./admin/StatisticsScreen') },
  { path: '/evidencijaUvida', rights: [Right.Looks], load: () => import('./looks/LooksScreen') },
  { path: '/izvozPodataka', rights: [Right.DataExport], load: () => import('./dataExport/DataExportScreen') },
  { path: '/uvozPodataka', rights: [Right.DataImport], load: () => import('./dataImport/DataImportScreen') },
  { path: '/admin/sponzori', load: () => import('./admin/SponsorsScreen') },
  { path: '/admin/kategorijeIzvestaja', rights: [Right.ReportSetup], load: () => import('./admin/ReportCategoriesScreen') },
  { path: '/admin/tipoviStatistickogIzvestaja', rights: [Right.ReportSetup], load: () => import('./admin/ReportTypesScreen') },
  { path: '/admin/grupePrimalaca', rights: [Right.ReportSetup], load: () => import('./admin/RecipientGroupsScreen') },
  {
    path: '/admin/izvestaji/:id/dizajner',
    rights: [Right.ReportSetup],
    load: () => import('./admin/reportDesigner/ReportDesignerScreen'),
  },
  { path: '/admin/izvestaji', rights: [Right.ReportSetup], load: () => import('./admin/ReportConfigurationScreen') },
  {
    path: '/admin/tipoviParametraIzvestaja',
    rights: [Right.ReportSetup],
    load: () => import('./admin/ReportParameterTypesScreen'),
  },
  { path: '/admin/radSistema', rights: [Right.Parameters], load: () => import('./operations/OperationsScreen') },
  { path: '/reload', rights: [Right.Parameters], load: () => import('./maintenance/MaintenanceScreen') },
  { path: '/reload/jasperi', rights: [Right.Parameters], load: () => import('./maintenance/TemplatesScreen') },
  { path: '/reload/konekcija', rights: [Right.Parameters], load: () => import('./maintenance/ConnectionsScreen') },
  { path: '/reload/parametri', rights: [Right.Parameters], load: () => import('./maintenance/ReloadParametersScreen') },
];

export const screenAt = (path: string): Screen | undefined => screens.find((screen) => screen.path === path);

/** What a clinician goes to all day: its code is fetched while the first screen is read. */
const CLINICAL = ['/registri/:id', '/pacijenti/:id', '/unosi/:id'];

export async function fetchClinical(): Promise<void> {
  // A failure is told by the screen that needs it.
  for (const path of CLINICAL)
    await screenAt(path)
      ?.load()
      .catch(() => undefined);
}
