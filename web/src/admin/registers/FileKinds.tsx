// The kinds of files that a type takes; none chosen: all of them.
import { MultiSelect } from 'primereact/multiselect';
import { FILE_KINDS, type FileKind } from '../../files/attached';
import { label, t } from '../../messages';
import { Field, type Control } from '../../ui/Field';

interface Props {
  chosen: readonly FileKind[] | null | undefined;
  disabled: boolean;
  onChange: (kinds: FileKind[] | null) => void;
}

export const FileKindsInput = ({ control, chosen, disabled, onChange }: Props & { control: Control }) => (
  <MultiSelect
    inputId={control.id}
    invalid={control.invalid}
    aria-describedby={control['aria-describedby']}
    value={[...(chosen ?? [])]}
    options={FILE_KINDS.map((value) => ({ value, label: t.files.kinds[value] }))}
    placeholder={t.files.allKinds}
    showSelectAll={false}
    disabled={disabled}
    onChange={({ value }: { value: FileKind[] }) => onChange(value.length > 0 ? FILE_KINDS.filter((kind) => value.includes(kind)) : null)}
  />
);

export const FileKinds = ({ error, ...props }: Props & { error: string | null }) => (
  <Field label={label('attributeType.vrsteFajlova')} error={error}>
    {(control) => <FileKindsInput control={control} {...props} />}
  </Field>
);
