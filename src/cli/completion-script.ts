/** Shells that completion is written for. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** What can be completed of a command. */
export interface CompletableCommand {
  readonly name: string;
  readonly summary: string;
  readonly takesFiles: boolean;
  readonly options: readonly { readonly name: string; readonly summary: string; readonly takesValue: boolean }[];
}

/** Writes the script that a shell runs to complete `ditto` and what follows it. */
export function completionScript(shell: Shell, commands: readonly CompletableCommand[]): string {
  switch (shell) {
    case "bash":
      return bash(commands);
    case "zsh":
      return zsh(commands);
    case "fish":
      return fish(commands);
  }
}

function bash(commands: readonly CompletableCommand[]): string {
  const cases = commands.map(({ name, options }) => `    ${name}) words="${[...options.map((option) => option.name), "--help"].join(" ")}" ;;`);
  return `# Completion of ditto for bash: eval "$(ditto completion bash)"
_ditto() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _ditto ditto
`;
}

function zsh(commands: readonly CompletableCommand[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = commands.map(({ name, takesFiles, options }) => {
    const specs = options.map((option) => quoted(`${option.name}[${option.summary.replace(/[[\]:]/gu, " ")}]${option.takesValue ? ":value:" : ""}`));
    return `    ${name}) _arguments ${[...specs, "'--help[show help]'", ...(takesFiles ? ["'*:file:_files'"] : [])].join(" ")} ;;`;
  });
  return `#compdef ditto
# Completion of ditto for zsh: eval "$(ditto completion zsh)"
_ditto() {
  local -a commands
  commands=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT -= 1 ))
  case "$command" in
${cases.join("\n")}
  esac
}
compdef _ditto ditto
`;
}

function fish(commands: readonly CompletableCommand[]): string {
  const lines = commands.flatMap(({ name, summary, takesFiles, options }) => [
    `complete -c ditto -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...options.map(
      (option) =>
        `complete -c ditto -n "__fish_seen_subcommand_from ${name}" -l ${option.name.slice(2)}${option.takesValue ? " -x" : ""} -d ${quoted(option.summary)}`,
    ),
    ...(takesFiles ? [`complete -c ditto -n "__fish_seen_subcommand_from ${name}" -F`] : []),
  ]);
  return `# Completion of ditto for fish: ditto completion fish > ~/.config/fish/completions/ditto.fish\n${lines.join("\n")}\n`;
}

/** A text in single quotes, as all three shells read it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
