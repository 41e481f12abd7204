// Every screen there is. A menu item whose screen is not in this list is not shown.
import type { ComponentType } from 'react';
import { Right } from './auth/rights';

export interface Screen {
  path: string;
  /** Any one of these opens it; without them it is everyone's. */
  rights?: readonly Right[];
  load: () => Promise<{ default: ComponentType }>;
}

export const screens: readonly Screen[] = [
  { path: '/registri', load: () => import('./registers/RegisterListScreen') },
  { path: '/izvestaji', rights: [Right.Reports, Right.ReportConfiguration], load: () => import('./reports/ReportsScreen') },
  { path: '/registri/:id', load: () => import('./patients/SearchScreen') },
  { path: '/registri2/:id', load: () => import('./patients/SearchScreen') },
  { path: '/pacijenti/:id', load: () => import('./patients/PatientScreen') },
  { path: '/pacijentArhiva/:id', load: () => import('./patients/PatientArchiveScreen') },
  { path: '/unosi/:id', load: () => import('./entries/EntryScreen') },
  { path: '/unosi2/:id', load: () => import('./entries/EntryScreen') },
  { path: '/unosArhiva/:id', load: () => import('./patients/EntryArchiveScreen') },
  { path: '/korisnickiProfil', load: () => import('./profile/ProfileScreen') },
];

export const screenAt = (path: string): Screen | undefined => screens.find((screen) => screen.path === path);
