// A password with a button that shows and hides it.
import { InputText, type InputTextProps } from 'primereact/inputtext';
import { useState } from 'react';
import { t } from '../messages';
import style from './PasswordInput.module.css';

export function PasswordInput(props: InputTextProps) {
  const [shown, setShown] = useState(false);
  return (
    <div className={style.password}>
      {/* The attribute tells a dialog which of its parts the focus goes to. */}
      <InputText
        {...props}
        data-pc-autofocus={props.autoFocus}
        type={shown ? 'text' : 'password'}
        autoCapitalize="off"
        spellCheck={false}
      />
      <button
        type="button"
        onClick={() => setShown(!shown)}
        aria-label={shown ? t.signIn.hidePassword : t.signIn.showPassword}
        aria-pressed={shown}
      >
        <span className={`pi ${shown ? 'pi-eye-slash' : 'pi-eye'}`} aria-hidden />
      </button>
    </div>
  );
}
