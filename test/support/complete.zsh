# Prints what zsh offers for a command line, one offer per line: zsh -f complete.zsh SCRIPT LINE FOLDER
zmodload zsh/zpty
cat > $3/rc <<RC
PROMPT=
autoload -Uz compinit
compinit -u -D
source $1
compadd() {
  local -a hits
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "\$@"; return; fi
  builtin compadd -A hits "\$@"
  print -rl -- \$hits >> $3/hits
  builtin compadd "\$@"
}
capture() { zle complete-word; print '<<end>>' }
zle -N capture
bindkey '^I' capture
print '<<ready>>'
RC
: > $3/hits
zpty shell zsh -f -i
zpty -w shell "source $3/rc"
zpty -r -m shell text '*<<ready>>*'
zpty -n -w shell "$2"$'\t'
zpty -r -m shell text '*<<end>>*'
cat $3/hits
