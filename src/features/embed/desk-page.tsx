import { Section } from '../../desk/page/parts/section.tsx'
import { useShell } from '../../desk/page/parts/view.ts'
import { say } from '../../shared/say.ts'
import { CopyButton } from './copy-button.tsx'
import type { EmbedShown } from './shown.ts'

/** What to paste into a page of another site, and what that site's policy has to allow. */
export function EmbedPage({ forms, policy, origins }: EmbedShown) {
  const { tool } = useShell()
  return (
    <div className="narrow stack after-6">
      <h1 className="heading">{say('Your form')}</h1>
      <p className="quiet">
        {say(
          'The form is for a page of another site of yours. It takes the style of that page, and works without script.',
        )}
      </p>
      <Section title={say('Where it may stand')}>
        {origins.length > 0 ? (
          <ul className="ruled-rows">
            {origins.map((origin) => (
              <li key={origin}>{origin}</li>
            ))}
          </ul>
        ) : (
          <p className="pad">
            {say('On no site yet: set')} <code>EMBED_ORIGINS</code> {say('to your site, such as')}{' '}
            <code>https://blog.example.com</code>
            {say(', and start the server again.')}
          </p>
        )}
      </Section>
      {policy === null || forms.length === 0 ? (
        <p className="pad">
          {say('There is nothing to paste yet: set PUBLIC_URL, and build the page.')}
        </p>
      ) : (
        <>
          {forms.map((one) => (
            <Form key={one.code} {...one} of={forms.length > 1 ? ` (${one.code})` : ''} />
          ))}
          <Pasted
            title={say('What a content security policy there must allow')}
            name={say('the policy')}
            text={`${policy.form}; ${policy.script}`}
          />
          <p className="pad quiet after-5">
            {say('The last two directives are for the script.')} <code>{`${tool} embed`}</code>{' '}
            {say('has more: a page to come back to, and a frame.')}
          </p>
        </>
      )}
    </div>
  )
}

interface FormProps {
  readonly form: string
  readonly script: string
  /** Which language, where there are several. */
  readonly of: string
}

const Form = ({ form, script, of }: FormProps) => (
  <div>
    <Pasted title={say('Paste this{of}', { of })} name={say('the form{of}', { of })} text={form} />
    <Pasted
      title={say('And this, so that a visitor stays on that page{of}', { of })}
      name={say('the script{of}', { of })}
      text={script}
    />
  </div>
)

interface PastedProps {
  readonly title: string
  /** For the button's name. */
  readonly name: string
  readonly text: string
}

function Pasted({ title, name, text }: PastedProps) {
  return (
    <Section title={title} aside={<CopyButton text={text} name={name} />}>
      <pre className="pasted">{text}</pre>
    </Section>
  )
}
