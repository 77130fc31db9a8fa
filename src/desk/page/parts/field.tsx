import type { InputHTMLAttributes, ReactNode } from 'react'

/** What ties a control to its label and to what is said beneath it. */
export interface Control {
  readonly id: string
  readonly name: string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly name: string
  readonly label: ReactNode
  /** Said beneath, before anything is wrong. */
  readonly hint?: ReactNode
  /** What is wrong with the value. */
  readonly error?: ReactNode
  /** For a field whose place says what it is, such as a search. */
  readonly isLabelHidden?: boolean
  /** What is drawn instead of an input, such as a list to choose from. */
  readonly control?: (own: Control) => ReactNode
}

/** A field of a form with its label. Its id is its name, where a page has that name once. */
export function Field(props: FieldProps) {
  const { name, label, hint, error, isLabelHidden, control, id = name, ...input } = props
  const notes = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  const own: Control = {
    id,
    name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': notes || undefined,
  }
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {control ? control(own) : <input {...input} {...own} />}
      {hint && (
        <p className="note" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="note" data-tone="bad" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
