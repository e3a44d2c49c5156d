import Events
import LCFeatureControl
import ScenarioFormat

// What the timeline does to the service and to all clients.

extension FeatureControlWorld {
  func perform(_ action: TimelineAction) async {
    switch action {
    case .publish:
      witness.published(service.withLock { $0.publish() })
      witness.note(.marked(.published))
    case .rollBack:
      witness.published(service.withLock { $0.rollBack() })
      witness.note(.marked(.published))
    case .notify(let count): service.withLock { $0.notify(count: count) }
    case .invalidate:
      for instance in instances { await invalidate(instance) }
      witness.note(.marked(.invalidated))
    case .switchUser:
      for instance in instances {
        instance.session.switchUser()
        await invalidate(instance)
      }
      witness.note(.marked(.switched))
    case .flush:
      witness.note(.marked(.flushed))
      await flushAll()
    case .publishFlags, .deleteFlag, .defineFlag, .giveUser, .takeUser, .startExperiment, .stopExperiment,
      .changeAudiences, .rotateETags, .signIn, .signOut, .sameUserAgain, .background, .foreground, .relaunch,
      .consent, .refresh, .dropSockets:
      fatalError("\(action.word) is no action on this kind of client")
    case .clockForward(let by): times.jump(by: by.nanoseconds)
    case .clockBack(let by): times.jump(by: -by.nanoseconds)
    case .close:
      let instances = openInstances
      closeClients()
      await stage.settle(instances.map(\.probe))
      // Calls are left out: readers go on, and on the wall clock one may just be asking the closed client.
      Act.countLeftovers(instances, witness, [.task, .timer, .request])
    }
  }

  /// Nobody's call in particular: it is told as one of a reader after the last.
  private func invalidate(_ instance: AppInstance) async {
    await callOfNobody(.invalidate, instance) { await instance.manager.invalidateCache() }
  }

  /// Every client flushes at the same time, each waiting for its own requests only.
  private func flushAll() async {
    let instances = instances
    await ReaderTree.run(0..<instances.count) { [self] index in
      await callOfNobody(.flush, instances[index]) { await instances[index].manager.flushExposures() }
    }
  }

  private func callOfNobody(
    _ operation: Operation, _ instance: AppInstance, _ body: () async -> Void
  ) async {
    let nobody = ReaderID(Int32(scenario.readerCount))
    await instance.call(operation, by: nobody, in: self) { _ in
      await body()
      return .finished
    }
  }
}
