import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Schema } from '../schema';
import { useForm } from '../crud/useForm';
import { show } from '../testing/fakeApi';
import { emptyPatient } from './patientForm';
import { PatientFields } from './PatientFields';

const flags = (on: boolean): Schema<'PatientParameters'> => ({
  prikazPacijentImeRoditelja: on,
  prikazPacijentPrikazJednogPola: !on,
  prikazPacijentRadnoMesto: on,
  prikazPacijentStrucnaSprema: on,
  prikazPacijentZanimanje: on,
  prikazPacijentAdministrativnaNapomena: on,
  prikazPacijentMedicinskaNapomena: on,
});

function Form({ on, patient = emptyPatient }: { on: boolean; patient?: Schema<'PatientInput'> }) {
  return <PatientFields form={useForm<Schema<'PatientInput'>>(patient)} flags={flags(on)} />;
}
const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const birth = () => screen.getByLabelText(/^Datum rođenja/);
const sex = () => document.querySelector('[data-field=polTrenutni] .p-dropdown-label');

const labels = () => [...document.querySelectorAll('label')].map((label) => label.textContent);

it('asks for every field by its label, a required one with its asterisk', () => {
  show(<Form on />);
  expect(labels()).toEqual([
    'Ime *',
    'Prezime *',
    'JMBG *',
    'Datum rođenja *',
    'LBO *',
    'Ime roditelja',
    'Pol *',
    'Pol na rođenju',
    'Kontakt telefon *',
    'Mobilni telefon',
    'Adresa',
    'E-mail',
    'Zanimanje',
    'Stručna sprema',
    'Radno mesto',
    'Broj kartona',
    'Medicinska napomena',
    'Administrativna napomena',
  ]);
});

it('leaves out what the installation does not show', () => {
  show(<Form on={false} />);
  expect(labels()).toEqual([
    'Ime *',
    'Prezime *',
    'JMBG *',
    'Datum rođenja *',
    'LBO *',
    'Pol *',
    'Kontakt telefon *',
    'Mobilni telefon',
    'Adresa',
    'E-mail',
    'Broj kartona',
  ]);
});

it('fills birth date and sexes by the JMBG, and warns once they differ', () => {
  show(<Form on />);
  type(/^JMBG/, '0101970710001');
  expect(screen.getByLabelText(/^Datum rođenja/)).toHaveValue('01.01.1970.');
  expect(document.querySelector('[data-field=polTrenutni] .p-dropdown-label')).toHaveTextContent('Muški');
  expect(document.querySelector('[data-field=polNaRodjenju] .p-dropdown-label')).toHaveTextContent('Muški');
  fireEvent.input(screen.getByLabelText(/^Datum rođenja/), { target: { value: '02.01.1970.' } });
  expect(screen.getByText('Datum rođenja se ne slaže sa JMBG.')).toBeInTheDocument();
});

it.each([
  ['in the place of it', ['0601953726029']],
  ['digit by digit', ['01019707', '', '06', '0601953726', '0601953726029']],
  ['pasted with spaces', ['0601953 72 6029']],
])('follows a JMBG typed over another one %s', (_, steps) => {
  show(<Form on />);
  type(/^JMBG/, '0101970710001');
  for (const step of steps) type(/^JMBG/, step);
  expect(birth()).toHaveValue('06.01.1953.');
  expect(sex()).toHaveTextContent('Ženski');
});

it('follows the JMBG in a record that is changed, and leaves what was set otherwise by hand', () => {
  show(<Form on patient={{ ...emptyPatient, jmbg: '0101970710001', datumRodjenja: '1970-01-01', polTrenutni: false }} />);
  for (const step of ['', '0601953726029']) type(/^JMBG/, step);
  expect(birth()).toHaveValue('06.01.1953.');
  for (const step of ['', '0101970710001']) type(/^JMBG/, step);
  expect(birth()).toHaveValue('01.01.1970.');
  fireEvent.input(birth(), { target: { value: '02.01.1970.' } });
  for (const step of ['', '0601953726029']) type(/^JMBG/, step);
  expect(birth()).toHaveValue('02.01.1970.');
  expect(screen.getByText('Datum rođenja se ne slaže sa JMBG.')).toBeInTheDocument();
});

it('does not cut a number that is too long: it is refused, not changed', () => {
  show(<Form on />);
  for (const label of [/^JMBG/, /^LBO/]) expect(screen.getByLabelText(label)).not.toHaveAttribute('maxlength');
});
