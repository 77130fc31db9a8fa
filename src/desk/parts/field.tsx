import type { InputHTMLAttributes, ReactNode } from 'react'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly name: string
  readonly label: ReactNode
  /** Said beneath, before anything is wrong. */
  readonly hint?: ReactNode
  /** What is wrong with the value. */
  readonly error?: ReactNode
  /** For a field whose place says what it is, such as a search. */
  readonly isLabelHidden?: boolean
}

/** A field of a form with its label. Its id is its name: a page has each name once. */
export function Field({ name, label, hint, error, isLabelHidden, ...input }: FieldProps) {
  const notes = [hint ? `${name}-hint` : '', error ? `${name}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={name} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <input
        {...input}
        id={name}
        name={name}
        aria-invalid={error ? true : undefined}
        aria-describedby={notes || undefined}
      />
      {hint && (
        <p className="note" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
