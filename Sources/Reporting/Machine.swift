/// Where a run was made and what it cost there: everything that may differ between two runs of one seed.
public struct Machine: Sendable, Equatable {
  /// The machine and its software.
  public struct Environment: Sendable, Equatable {
    /// The operating system with its version.
    public var os: String
    /// The processor.
    public var cpu: String
    /// How many cores the process may use.
    public var cores: Int
    /// The version of Swift.
    public var swift: String
    /// The allocator, as `jemalloc 5.3.0` or `system`.
    public var allocator: String

    /// Creates an environment.
    public init(os: String, cpu: String, cores: Int, swift: String, allocator: String) {
      self.os = os
      self.cpu = cpu
      self.cores = cores
      self.swift = swift
      self.allocator = allocator
    }
  }

  /// How long the run took in real time, in nanoseconds.
  public var wallNanoseconds: Int64
  /// The machine and its software.
  public var environment: Environment
  /// The most memory that the process held, in bytes; nil if unknown.
  public var residentBytes: Int64?
  /// How many bytes the run added for each reader; nil if unknown.
  public var bytesPerReader: Int64?

  /// Creates a description of a machine.
  public init(
    wallNanoseconds: Int64,
    environment: Environment,
    residentBytes: Int64? = nil,
    bytesPerReader: Int64? = nil
  ) {
    self.wallNanoseconds = wallNanoseconds
    self.environment = environment
    self.residentBytes = residentBytes
    self.bytesPerReader = bytesPerReader
  }
}
