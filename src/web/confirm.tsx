import type { Product } from '../shared/product.ts'
import type { ConfirmPageStep } from '../site/site.ts'
import { confirmMessages } from './confirm-messages.ts'
import { PlainPage } from './plain-page.tsx'

export interface ConfirmProps {
  readonly product: Product
  readonly step: ConfirmPageStep
}

/** The page behind the link of a confirmation letter. Posts to where it is, and a GET never acts. */
export function Confirm({ product, step }: ConfirmProps) {
  const { heading, text, answers, code, wayHome } = confirmMessages[step]
  return (
    <PlainPage product={product} heading={heading} text={text}>
      {answers && (
        <form className="subscribe" method="post">
          <div className="confirm-row">
            {Object.entries(answers).map(([answer, words]) => (
              <button
                key={answer}
                type="submit"
                name="answer"
                value={answer}
                // "Yes" stands out where it is asked for, and not beside a "no" that was said.
                className={answer === 'yes' && answers.no ? undefined : 'confirm-quiet'}
              >
                {words}
              </button>
            ))}
          </div>
        </form>
      )}
      {wayHome && (
        <a className="way-home" href="/">
          {wayHome}
        </a>
      )}
      {code && (
        <form className="subscribe" method="post">
          <div className="subscribe-row">
            <div className="subscribe-field">
              <label htmlFor="code" className="visually-hidden">
                {code.label}
              </label>
              <input
                id="code"
                name="code"
                type="text"
                inputMode="numeric"
                autoComplete="one-time-code"
                placeholder={code.label}
                maxLength={9}
                required
              />
            </div>
            <button type="submit">{code.button}</button>
          </div>
        </form>
      )}
    </PlainPage>
  )
}
