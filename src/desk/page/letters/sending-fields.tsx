import { say } from '../../../shared/say.ts'
import type { SendingSettings } from '../../contract/letters.ts'
import { Field } from '../parts/field.tsx'

interface FieldsProps {
  readonly settings: SendingSettings
  /** The other announcements. */
  readonly earlier: readonly string[]
}

/** How it is sent: the options of the command, with their defaults. */
export function SendingFields({ settings, earlier }: FieldsProps) {
  return (
    <details className="note" id="how">
      <summary>{say('How it is sent')}</summary>
      <div className="pairs after-3">
        <Field
          name="rate"
          label={say('Rate')}
          defaultValue={settings.rate}
          hint={say(
            'Letters a second, or such as 2000/h or 400/d: not more than your provider allows.',
          )}
        />
        <Field
          name="dkimSelector"
          label={say('DKIM selector')}
          defaultValue={settings.dkimSelector}
          placeholder="k1"
          spellCheck={false}
        />
        <Field
          name="dnsServer"
          label={say('DNS server')}
          defaultValue={settings.dnsServer}
          placeholder={say('the server’s own')}
          spellCheck={false}
        />
      </div>
      {earlier.length > 0 && (
        <fieldset className="after-3">
          <legend>
            {say('Those who got another letter are left out. Also send to those who got')}
          </legend>
          {earlier.map((name) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                name="alsoWhoGot"
                value={name}
                defaultChecked={settings.alsoWhoGot.includes(name)}
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
    </details>
  )
}
