// Where the screens of registers and forms are, and what is being done on them: it travels in the navigation's state.
import type { Mode } from '../../crud/CrudDialog';

export const REGISTERS = '/admin/registri';

export interface RegisterState {
  registarOperation: Mode;
  /** The tab that opens. */
  tab?: number;
}

export interface FormState {
  unosOperation: Mode;
  /** None: what the form itself says. */
  registarID?: number;
  registarOperation: Mode;
  /** The tab that opens. */
  tab?: number;
}

/** The tab of a form's versions, where recomputations are. */
export const VERSIONS_TAB = 2;

export const registerAddress = (id: number | '') => `/admin/registar/${String(id)}`;
export const formAddress = (id: number | '') => `/admin/formular/${String(id)}`;
export const designerAddress = (id: number) => `${formAddress(id)}/nacrt`;
/** Where a file is brought in, of a register or into a new one. */
export const importAddress = (register?: number) => `${REGISTERS}/uvoz${register === undefined ? '' : `?registar=${String(register)}`}`;
