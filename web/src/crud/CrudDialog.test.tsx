// What a dialog does not let go unasked: typing that is not saved, on this tab or on another, and a save under way.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { t } from '../messages';
import { fakeApi, show, signedIn } from '../testing/fakeApi';
import { CrudDialog, savedForm, type Mode } from './CrudDialog';
import { useForm } from './useForm';

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

function Wards({ mode, withPhone = false, withRooms = false }: { mode: Mode; withPhone?: boolean; withRooms?: boolean }) {
  const form = useForm<Ward>({ ime: 'Hirurgija' });
  const phone = useForm<Phone>({ broj: '011' });
  const saved = savedForm({ form: phone, validate: ok, act: actOnPhone, done: 'Sačuvan telefon.', failed: 'Telefon nije sačuvan.' });
  const content = <Field label="Broj" value={phone.record.broj} set={(broj) => phone.set('broj', broj)} />;
  return (
    <CrudDialog
      mode={mode}
      what="Odeljenje"
      name={({ ime }) => ime}
      form={form}
      validate={ok}
      act={act}
      onClose={onClose}
      tabs={[
        ...(withPhone ? [{ title: 'Telefon', content, form: saved }] : []),
        ...(withRooms ? [{ title: 'Sobe', content: <p>Soba 1</p> }] : []),
      ]}
    >
      <Field label="Ime" value={form.record.ime} set={(ime) => form.set('ime', ime)} />
    </CrudDialog>
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
    await answer(t.crud.discardQuestion, t.common.cancel);
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.getByLabelText('Ime')).toHaveProperty('value', 'Hirurgija dva');
    await press(t.common.cancel);
    await answer(t.crud.discardQuestion, t.crud.discard);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('asks for what was typed on another tab', async () => {
    show(<Wards mode="update" withPhone />);
    await userEvent.click(screen.getByRole('tab', { name: 'Telefon' }));
    await userEvent.type(screen.getByLabelText('Broj'), '9');
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
    await userEvent.click(screen.getByRole('tab', { name: 'Telefon' }));
    await userEvent.type(screen.getByLabelText('Broj'), '9');
    await press(t.crud.update);
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

  it('that fails leaves the dialog as it is', async () => {
    act.mockRejectedValue(new Error('nema mreže'));
    show(<Wards mode="update" />);
    await userEvent.type(screen.getByLabelText('Ime'), ' dva');
    await press(t.crud.update);
    await waitFor(() => expect(screen.getByRole('button', { name: t.common.cancel })).toHaveProperty('disabled', false));
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.getByLabelText('Ime')).toHaveProperty('value', 'Hirurgija dva');
  });
});
