// The logo of an institution, on what is printed for it: shown as paper shows it, kept as soon as it is chosen.
import { at } from '../api/address';
import { api } from '../api/client';
import type { Reply } from '../schema';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import { useConfirm } from '../ui/confirm';
import { Field } from '../ui/Field';
import { ImageInput } from '../ui/ImageInput';
import { LoadFailed, Loading } from '../ui/states';
import { useToast } from '../ui/toast';

const text = t.admin.institutions;

export function InstitutionLogo({ institution, name, disabled }: { institution: number; name: string; disabled: boolean }) {
  const path = at('/api/institutions/{id}/logo', { id: institution });
  const { data, error, mutate } = useApi(path);
  const confirm = useConfirm();
  const toast = useToast();
  if (!data) return error ? <LoadFailed error={error} retry={() => void mutate()} /> : <Loading />;
  if (disabled && !data.logo) return <p>{text.noLogo}</p>;

  async function change(logo: string | null) {
    if (!logo && !(await confirm({ message: text.logoRemoveQuestion, accept: text.logoRemove, danger: true }))) return;
    try {
      const kept = logo ? await api.put(path, { logo }) : await api.delete(path).then((): Reply<'InstitutionLogo'> => ({ logo: null }));
      await mutate(kept, { revalidate: false });
      toast.success(logo ? text.logoSaved : text.logoRemoved);
    } catch (failure) {
      toast.failure(text.logoFailed, failure);
    }
  }

  return (
    <Field label={text.logo} help={disabled ? undefined : `${text.logoHelp} ${t.image.help}`}>
      {({ id, 'aria-describedby': note }) => (
        <ImageInput
          id={id}
          alt={text.logoOf(name)}
          value={data.logo}
          onChange={(logo) => void change(logo)}
          onRefuse={(message) => toast.error(text.logoFailed, message)}
          disabled={disabled}
          aria-describedby={note}
        />
      )}
    </Field>
  );
}
