// What a dialog says and offers in each of its modes, and what it does not let go unasked: typing that is not saved, on this tab or on
// another, and a save under way.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { t } from '../messages';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { useToast } from '../ui/toast';
import { CrudDialog, savedForm, type Mode } from './CrudDialog';
import { useForm, type Problem } from './useForm';

interface Ward {
  ime: string;
}
interface Phone {
  broj: string;
}

const onClose = vi.fn();
const act = vi.fn<(record: Ward) => Promise<unknown>>();
const actOnPhone = vi.fn<(record: Phone) => Promise<unknown>>();
const ok = () => null;

function Field({ label, value, set }: { label: string; value: string; set: (value: string) => void }) {
  return (
    <label>
      {label}
      <input value={value} onChange={(event) => set(event.target.value)} />
    </label>
  );
}

interface WardsProps {
  mode: Mode;
  withPhone?: boolean;
  withRooms?: boolean;
  validate?: () => Problem<Ward> | null;
}

function Wards({ mode, withPhone = false, withRooms = false, validate = ok }: WardsProps) {
  const form = useForm<Ward>({ ime: 'Hirurgija' });
  const phone = useForm<Phone>({ broj: '011' });
  const saved = savedForm({ form: phone, validate: ok, act: actOnPhone, done: 'Snimljen telefon.', failed: 'Telefon nije snimljen.' });
  const content = <Field label="Broj" value={phone.record.broj} set={(broj) => phone.set('broj', broj)} />;
  return (
    <CrudDialog
      mode={mode}
      what="Odeljenje"
      name={({ ime }) => ime}
      form={form}
      validate={validate}
      act={act}
      onClose={onClose}
      tabs={
        withPhone || withRooms
          ? [
              ...(withPhone ? [{ title: 'Telefon', content, form: saved }] : []),
              ...(withRooms ? [{ title: 'Sobe', content: <p>Soba 1</p> }] : []),
            ]
          : undefined
      }
    >
      <Field label="Ime" value={form.record.ime} set={(ime) => form.set('ime', ime)} />
    </CrudDialog>
  );
}

const EARLIER = 'Izveštaj je gotov.';

/** A message over the page, of something else. */
function Said() {
  const { info } = useToast();
  return (
    <button type="button" onClick={() => info(EARLIER)}>
      Javi
    </button>
  );
}

/** The last of the name: a question stands over the dialog, and the footer's buttons below the cross. */
const press = (name: string) => userEvent.click(screen.getAllByRole('button', { name }).at(-1) as HTMLElement);
const answer = async (question: string, name: string) => {
  await screen.findByText(question);
  await press(name);
  await waitFor(() => expect(screen.queryByText(question)).toBeNull());
};

beforeEach(() => {
  signedIn();
  fakeApi({});
  [onClose, act, actOnPhone].forEach((mock) => mock.mockReset());
  act.mockResolvedValue(undefined);
  actOnPhone.mockResolvedValue(undefined);
});

/** On the tab beside the record. */
async function typePhone() {
  await userEvent.click(screen.getByRole('tab', { name: 'Telefon' }));
  await userEvent.type(screen.getByLabelText('Broj'), '9');
}

describe('a dialog', () => {
  it.each([
    ['create', 'Odeljenje: dodavanje'],
    ['update', 'Odeljenje: izmena – Hirurgija'],
    ['read', 'Odeljenje: detalji – Hirurgija'],
    ['delete', 'Odeljenje: brisanje – Hirurgija'],
  ] as const)('is named by what is done, and with which record (%s)', async (mode, name) => {
    show(<Wards mode={mode} />);
    expect(await screen.findByRole('dialog', { name })).toBeVisible();
    await userEvent.type(screen.getByLabelText('Ime'), ' dva');
    expect(screen.getByRole('dialog', { name })).toBeVisible();
  });

  it.each([
    ['create', t.crud.create],
    ['update', t.crud.update],
    ['read', null],
    ['delete', t.crud.remove],
  ] as const)('offers what it is for, and a deletion asks whether it is meant and warns by its colour (%s)', (mode, action) => {
    show(<Wards mode={mode} />);
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.queryByText(t.crud.removeQuestion('Hirurgija')) !== null).toBe(mode === 'delete');
    expect(dialog.queryByRole('button', { name: t.common.cancel }) !== null).toBe(mode !== 'read');
    expect([...document.querySelectorAll('[type="submit"]')].map(({ textContent }) => textContent)).toEqual(action ? [action] : []);
    expect(document.querySelector('.p-button-danger')?.textContent).toBe(mode === 'delete' ? action : undefined);
  });

  it.each([
    ['create', null],
    ['update', null],
    ['read', '0'],
    ['delete', '0'],
  ] as const)('is scrolled by keys where none of its fields takes the focus (%s)', (mode, place) => {
    show(<Wards mode={mode} />);
    expect(document.querySelector('.p-dialog-content')?.getAttribute('tabindex')).toBe(place);
  });

  it('has tabs only where there is more than the record', () => {
    const { unmount } = show(<Wards mode="update" />);
    expect(screen.queryByRole('tab')).toBeNull();
    unmount();
    show(<Wards mode="update" withPhone withRooms />);
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Odeljenje', 'Telefon', 'Sobe']);
  });

  it('stays where it is when its title is pulled', async () => {
    show(<Wards mode="update" />);
    await waitFor(() => expect(screen.getByLabelText('Ime')).toHaveFocus());
    const place = () => screen.getByRole('dialog').getAttribute('style');
    const before = place();
    fireEvent.mouseDown(screen.getByText('Odeljenje: izmena – Hirurgija'), { clientX: 10, clientY: 10 });
    fireEvent.mouseMove(document, { clientX: 60, clientY: 60 });
    fireEvent.mouseUp(document);
    expect(place()).toBe(before);
  });
});

describe('closing', () => {
  it.each(['create', 'update', 'read', 'delete'] as const)('asks nothing where nothing was typed (%s)', async (mode) => {
    show(<Wards mode={mode} />);
    await press(mode === 'read' ? t.common.close : t.common.cancel);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it.each(['create', 'update'] as const)('asks for what was typed, which stays until it is given up (%s)', async (mode) => {
    show(<Wards mode={mode} />);
    await userEvent.type(screen.getByLabelText('Ime'), ' dva');
    await press(t.common.cancel);
    expect(await screen.findByRole('button', { name: t.crud.discard })).toHaveClass('p-button-danger');
    await answer(t.crud.discardQuestion, t.common.cancel);
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.getByLabelText('Ime')).toHaveProperty('value', 'Hirurgija dva');
    await press(t.common.cancel);
    await answer(t.crud.discardQuestion, t.crud.discard);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it.each(['read', 'delete'] as const)('asks nothing where nothing is changed by the record, whatever was typed (%s)', async (mode) => {
    show(<Wards mode={mode} />);
    await userEvent.type(screen.getByLabelText('Ime'), ' dva');
    await press(mode === 'read' ? t.common.close : t.common.cancel);
    expect(onClose).toHaveBeenCalledOnce();
    expect(screen.queryByText(t.crud.discardQuestion)).toBeNull();
  });

  it.each([
    ['create', true],
    ['update', true],
    ['read', false],
    ['delete', true],
  ] as const)('takes along what was said of a try, of which there is none where a record is only looked at (%s)', async (mode, taken) => {
    show([<Said key="said" />, <Wards key="wards" mode={mode} />]);
    await userEvent.click(screen.getByText('Javi'));
    const earlier = await screen.findByText(EARLIER);
    await press(mode === 'read' ? t.common.close : t.common.cancel);
    expect(onClose).toHaveBeenCalledOnce();
    expect(earlier.closest('.p-toast-message-exit') !== null).toBe(taken);
  });

  it('asks for what was typed on another tab', async () => {
    show(<Wards mode="update" withPhone />);
    await typePhone();
    await userEvent.click(screen.getByRole('tab', { name: 'Odeljenje' }));
    await press(t.common.cancel);
    await answer(t.crud.discardQuestion, t.common.cancel);
    expect(onClose).not.toHaveBeenCalled();
  });

  it('is done by a key, and asks nothing for a tab that saves itself', async () => {
    show(<Wards mode="update" withRooms />);
    await waitFor(() => expect(screen.getByLabelText('Ime')).toHaveFocus());
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(screen.queryByText(t.crud.discardQuestion)).toBeNull();
  });

  it('waits for a save under way', async () => {
    let end = () => {};
    act.mockReturnValue(new Promise<void>((done) => (end = done)));
    show(<Wards mode="update" />);
    await press(t.crud.update);
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('button', { name: t.common.cancel })).toHaveProperty('disabled', true);
    expect(onClose).not.toHaveBeenCalled();
    end();
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  });
});

describe('saving', () => {
  it('asks before what was typed on another tab is lost by it', async () => {
    show(<Wards mode="update" withPhone />);
    await userEvent.type(screen.getByLabelText('Ime'), ' dva');
    await typePhone();
    await press(t.crud.update);
    expect(await screen.findByRole('button', { name: t.crud.discard })).toHaveClass('p-button-danger');
    await answer(t.crud.otherTabQuestion, t.common.cancel);
    expect([act, actOnPhone].map((mock) => mock.mock.calls.length)).toEqual([0, 0]);
    expect(onClose).not.toHaveBeenCalled();
    await press(t.crud.update);
    await answer(t.crud.otherTabQuestion, t.crud.discard);
    expect(actOnPhone).toHaveBeenCalledWith({ broj: '0119' });
    expect(act).not.toHaveBeenCalled();
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  });

  it('asks nothing for the tab that is saved', async () => {
    show(<Wards mode="update" withPhone />);
    await userEvent.type(screen.getByLabelText('Ime'), ' dva');
    await press(t.crud.update);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(act).toHaveBeenCalledWith({ ime: 'Hirurgija dva' });
    expect(screen.queryByText(t.crud.otherTabQuestion)).toBeNull();
  });

  it('is not offered on a tab that saves itself, and does not ask for it', async () => {
    show(<Wards mode="update" withRooms />);
    await userEvent.click(screen.getByRole('tab', { name: 'Sobe' }));
    expect(screen.getByText('Soba 1')).toBeVisible();
    expect(screen.queryByRole('button', { name: t.crud.update })).toBeNull();
    expect(screen.queryByRole('button', { name: t.common.cancel })).toBeNull();
    await userEvent.click(screen.getByRole('tab', { name: 'Odeljenje' }));
    await press(t.crud.update);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(act).toHaveBeenCalledWith({ ime: 'Hirurgija' });
  });

  it('asks for what is missing, at its field, and a deletion does not', async () => {
    const validate = () => ({ field: 'ime' as const, message: 'Bez imena.' });
    const { unmount } = show(<Wards mode="update" validate={validate} />);
    await press(t.crud.update);
    expect(await screen.findByText('Bez imena.')).toBeVisible();
    expect(within(screen.getByRole('dialog')).queryByText('Bez imena.')).toBeNull();
    expect(act).not.toHaveBeenCalled();
    unmount();
    show(<Wards mode="delete" validate={validate} />);
    await press(t.crud.remove);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(act).toHaveBeenCalledExactlyOnceWith({ ime: 'Hirurgija' });
  });

  it('is not done by Enter where the record is only looked at, which closes as ever', async () => {
    show(<Wards mode="read" />);
    await userEvent.type(screen.getByLabelText('Ime'), '{Enter}');
    expect(screen.getAllByRole('button', { name: t.common.close }).at(-1)).toBeEnabled();
    await press(t.common.close);
    expect(onClose).toHaveBeenCalledOnce();
    expect(act).not.toHaveBeenCalled();
  });

  it('asks nothing for another tab where the record is deleted', async () => {
    show(<Wards mode="delete" withPhone />);
    await typePhone();
    await userEvent.click(screen.getByRole('tab', { name: 'Odeljenje' }));
    await press(t.crud.remove);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(act).toHaveBeenCalledExactlyOnceWith({ ime: 'Hirurgija' });
  });

  it('that fails says why above the button, and leaves the dialog as it is', async () => {
    act.mockRejectedValue(new Error('nema mreže'));
    show(<Wards mode="update" />);
    await userEvent.type(screen.getByLabelText('Ime'), ' dva');
    await press(t.crud.update);
    await waitFor(() => expect(screen.getByRole('button', { name: t.common.cancel })).toHaveProperty('disabled', false));
    expect(onClose).not.toHaveBeenCalled();
    expect(within(screen.getByRole('dialog')).getByText(t.error.server)).toBeVisible();
    expect(screen.getByLabelText('Ime')).toHaveProperty('value', 'Hirurgija dva');
  });
});
