/** 6xx: plugins. */
export const pluginDiagnostics = {
  DITTO601: {
    severity: "error",
    title: "Plugin not found",
    sentence: 'the plugin "<plugin>" cannot be found',
  },
  DITTO602: {
    severity: "error",
    title: "Plugin that throws",
    sentence: 'the plugin "<plugin>" fails while it is loaded: <reason>',
  },
  DITTO603: {
    severity: "error",
    title: "Driver missing",
    sentence: 'the plugin "<plugin>" needs the package "<driver>", which is not installed',
  },
  DITTO604: {
    severity: "error",
    title: "Not a plugin",
    sentence: '"<plugin>" is no plugin: <problem>',
  },
  DITTO605: {
    severity: "error",
    title: "Plugin of another version",
    sentence: '"<plugin>" is written for plugin version <found>, and this is version <expected>',
  },
  DITTO606: {
    severity: "error",
    title: "Name brought twice",
    sentence: '"<plugin>" brings <what> "<name>", which is taken',
  },
  DITTO607: {
    severity: "error",
    title: "Plugin not named",
    sentence: '"<kind>" comes with the plugin "<plugin>", which ditto.yaml does not name',
  },
  DITTO608: {
    severity: "error",
    title: "Faulty kind",
    sentence: 'the kind "<kind>" of the plugin "<plugin>" is faulty: <problem>',
  },
} as const;
